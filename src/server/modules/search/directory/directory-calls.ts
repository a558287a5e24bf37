import type { Point } from '#contract/places.ts'
import type { Filters } from '../search.rules.ts'
import type { PlacePoint } from '../near.rules.ts'
import type { DirectoryIndex } from './directory-index.ts'
import type { Asked, DirectoryRow, Found } from './directory.rules.ts'
import type { StoredWord } from '../search.store.ts'
import type { Changes } from './directory.store.ts'

/** A search as the index is asked for it. */
export type AskedPage = Omit<Asked, 'filters'> & {
  filters: Omit<Filters, 'name'>
  /** The words that a name is searched by, folded. */
  typed: readonly string[]
  /** Whether the free time of every practitioner has to be known. */
  isFresh: boolean
}

/** What a page shows beside the cards. Lists have an entry for each practitioner of the page. */
export type Details = {
  /** The transactions that wrote the rows; undefined for a practitioner that the index no longer knows. */
  versions: (number | undefined)[]
  /** Until when each free time is right by itself, in epoch milliseconds. */
  freshUntil: number[]
  /** Those whose free times have to be computed before they are shown. */
  stale: number[]
  /** The nearest place of each, where a search has a place. */
  nearest?: ({ place: PlacePoint; miles: number } | undefined)[]
}

export type FoundPage = Pick<Found, 'total' | 'ids' | 'relax' | 'counts'> &
  Details & {
    bounds: ReturnType<DirectoryIndex['bounds']>
    /** JSON of the filters that values without a match would need to go; absent without any. */
    needs?: string
  }

/**
 * What the owner of an index asks of it. Arguments and results are plain values, so that the index may live in a thread
 * of its own.
 */
export const directoryCalls = {
  /** Makes room for so many practitioners. */
  reserve: (index: DirectoryIndex, count: number) => index.reserve(count),

  addWords(index: DirectoryIndex, words: readonly StoredWord[]): void {
    for (const { id, word } of words) index.addWord(id, word)
  },

  /** Returns the number of practitioners. The words of the names must have been added. */
  put(index: DirectoryIndex, rows: readonly DirectoryRow[]): number {
    for (const row of rows) index.put(row)
    return index.size
  },

  /** Returns the number of practitioners. */
  remove(index: DirectoryIndex, ids: readonly number[]): number {
    for (const id of ids) index.remove(id)
    return index.size
  },

  /** Notes practitioners whose free time has changed, without their rows, which are computed anew before they are read. */
  mark(index: DirectoryIndex, ids: readonly number[]): void {
    for (const id of ids) index.mark(id)
  },

  marked: (index: DirectoryIndex): number[] => [...index.marked],

  /** The practitioners of whom the index does not know what was written, and those that it does not know to be marked. */
  outdated: (
    index: DirectoryIndex,
    { written, removed, marked }: Changes,
  ): { changed: number[]; marked: number[] } => ({
    changed: [
      ...written.flatMap(([id, writtenBy]) =>
        index.versionOf(id) === writtenBy && !index.marked.has(id) ? [] : [id],
      ),
      ...removed.filter((id) => index.versionOf(id) !== undefined),
    ],
    marked: marked.filter((id) => index.versionOf(id) !== undefined && index.freshUntil(id) > 0),
  }),

  bounds: (index: DirectoryIndex, now: number) => index.bounds(now),

  /** Returns undefined if the free time of a practitioner has expired and none may have. */
  find(index: DirectoryIndex, { typed, isFresh, ...asked }: AskedPage, now: number): FoundPage | undefined {
    if (isFresh && index.hasStale(now)) return undefined
    const filters: Filters =
      typed.length > 0
        ? { ...asked.filters, name: typed.map((word) => index.matchWord(word)) }
        : asked.filters
    const { total, ids, relax, counts, needs } = index.find({ ...asked, filters }, now)
    return {
      total,
      ids,
      bounds: index.bounds(now),
      ...directoryCalls.details(index, ids, asked.filters.near, now),
      ...(relax ? { relax } : {}),
      ...(counts ? { counts } : {}),
      ...(needs && Object.keys(needs).length > 0 ? { needs: JSON.stringify(needs) } : {}),
    }
  },

  details: (
    index: DirectoryIndex,
    ids: readonly number[],
    near: Point | undefined,
    now: number,
  ): Details => ({
    versions: ids.map((id) => index.versionOf(id)),
    freshUntil: ids.map((id) => index.freshUntil(id)),
    stale: ids.filter((id) => index.isStale(id, now)),
    ...(near ? { nearest: ids.map((id) => index.nearestPlace(id, near)) } : {}),
  }),
}

type Calls = typeof directoryCalls
export type DirectoryCall = keyof Calls
export type GivenTo<Name extends DirectoryCall> =
  Parameters<Calls[Name]> extends [DirectoryIndex, ...infer Given] ? Given : never
export type AnswerOf<Name extends DirectoryCall> = ReturnType<Calls[Name]>

/** An index that can be asked, wherever it lives. Calls are carried out in the order in which they are made. */
export type DirectoryHandle = {
  /** @throws DirectoryGone once the index is given up */
  ask<Name extends DirectoryCall>(name: Name, ...given: GivenTo<Name>): Promise<AnswerOf<Name>>
  /** Gives the index up. Calls under way are rejected. */
  close(): Promise<void>
}

/** The index has been given up, or its thread has ended. */
export class DirectoryGone extends Error {
  override name = 'DirectoryGone'
}

/** @throws what the call throws */
export function carryOut<Name extends DirectoryCall>(
  index: DirectoryIndex,
  name: Name,
  given: readonly unknown[],
): AnswerOf<Name> {
  const call: (index: DirectoryIndex, ...given: never[]) => unknown = directoryCalls[name]
  return call(index, ...(given as never[])) as AnswerOf<Name>
}
