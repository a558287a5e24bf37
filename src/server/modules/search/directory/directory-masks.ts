import type { AppointmentType } from '#contract/common.ts'
import { filterOrder, type FilterName, isOfKind } from '#contract/search-filters.ts'
import { daysBetween, type FeeRange, type Filters, type MatchedWord } from '../search.rules.ts'
import { type Bitmap, clearBit, membersOf } from './bitmaps.ts'
import { DirectoryDocuments } from './directory-documents.ts'
import type { Value } from './directory.rules.ts'

type Group = { name: FilterName; mask: Bitmap }
/** A set of documents and their number. Must not be changed. */
export type Matches = { mask: Bitmap; total: number }
/** Filters with the documents that each active one matches, and what was combined of them before. */
export type Search = { filters: Filters; groups: readonly Group[]; combined: Map<string, Matches> }

/** The documents of so many words are collected. Of more, those that are left of the other words are looked at. */
const maxCollectedWords = 300

/** The sets of documents that filters match. */
export class DirectoryMasks extends DirectoryDocuments {
  #scratch: Bitmap[] = []
  #taken = 0

  protected searchFor(filters: Filters): Search {
    const groups = filterOrder.address.flatMap((name) => {
      const mask = this.maskOf(name, filters)
      return mask ? [{ name, mask }] : []
    })
    return { filters, groups, combined: new Map() }
  }

  /** The documents that one filter matches; undefined when it is not active. Must not be changed. */
  protected maskOf(name: FilterName, filters: Filters): Bitmap | undefined {
    if (isOfKind(name, 'ids')) {
      const ids = filters[name]
      if (!ids) return undefined
      if (ids.length === 1) return this.documentsWith({ filter: name, value: ids[0]! })
      const mask = this.empty()
      for (const value of ids) this.bitmaps.add(mask, this.documentsWith({ filter: name, value }))
      return mask
    }
    if (isOfKind(name, 'named', 'choice', 'format')) {
      const value = filters[name]
      return value === undefined ? undefined : this.documentsWith({ filter: name, value })
    }
    if (isOfKind(name, 'words')) return filters[name] && this.named(filters[name], 'forgiven')
    if (isOfKind(name, 'pounds')) {
      const range = filters[name]
      return range && this.pricedIn(range, filters.session_type)
    }
    if (isOfKind(name, 'place')) {
      const circle = filters[name]
      if (!circle) return undefined
      const mask = this.empty()
      this.places.addWithin(mask, circle)
      return mask
    }
    if (!isOfKind(name, 'days')) return undefined
    const range = filters[name]
    return range && this.freeIn(range, filters.session_type)
  }

  /** The listed documents with a fee in a range; those of one format are to be narrowed to the documents that offer it. */
  protected pricedIn(range: FeeRange, type: AppointmentType | undefined): Bitmap {
    const mask = this.copy(this.listed)
    this.fees[type ?? 'either'].keepOverlapping(mask, range)
    return mask
  }

  protected freeIn(range: { from: number; to: number }, type: AppointmentType | undefined): Bitmap {
    const days = daysBetween(range)
    const cut = { from: range.from, to: range.from + days.length - 1 }
    if (type) return this.freeDays[type].within(cut)
    const mask = this.copy(this.freeDays.online.within(cut))
    this.bitmaps.add(mask, this.freeDays.face_to_face.within(cut))
    return mask
  }

  /** The documents with a word for each of the typed ones. */
  protected named(words: readonly MatchedWord[], mistakes: 'forgiven' | 'refused'): Bitmap {
    const mask = this.empty()
    const [fewest = [], ...others] = words
      .map(({ exact, close }) => (mistakes === 'forgiven' && close.length > 0 ? [...exact, ...close] : exact))
      .sort((a, b) => a.length - b.length)
    this.names.addDocuments(mask, fewest)
    for (const ids of others) {
      if (ids.length > maxCollectedWords) {
        this.#keepNamed(mask, ids)
        continue
      }
      const one = this.empty()
      this.names.addDocuments(one, ids)
      this.bitmaps.and(mask, mask, one)
    }
    return mask
  }

  /** Leaves in a set the documents with any of some words. */
  #keepNamed(mask: Bitmap, ids: readonly number[]): void {
    const members = this.membersOf(mask)
    this.names.withMarks(ids, (marks) => {
      for (const document of members) if (!this.wordsOf.hasMarked(document, marks)) clearBit(mask, document)
    })
  }

  /** The listed documents of all groups but those of some filters. */
  protected combined(search: Search, ...left: FilterName[]): Matches {
    const key = left.join(' ')
    let matches = search.combined.get(key)
    if (!matches) search.combined.set(key, (matches = this.#combine(search, left)))
    return matches
  }

  #combine({ filters, groups }: Search, left: readonly FilterName[]): Matches {
    const { session_type: _, ...ofBothFormats } = filters
    const masks = groups.flatMap(({ name, mask }) => {
      if (left.includes(name)) return []
      // A place is searched near in sessions face to face alone.
      if (name === 'near' && left.includes('session_type')) return []
      // Days and fees are those of the format; without it, those of both.
      const isWider = isOfKind(name, 'days', 'pounds') && left.includes('session_type')
      return [(isWider && this.maskOf(name, ofBothFormats)) || mask]
    })
    return this.narrowed({ mask: this.listed, total: this.listedCount }, ...masks)
  }

  /** Those of some matches that are in all of some sets. */
  protected narrowed({ mask, total }: Matches, ...masks: readonly Bitmap[]): Matches {
    if (masks.length === 0) return { mask, total }
    const narrow = this.spare()
    let [from, left] = [mask, total]
    for (const each of masks) {
      left = this.bitmaps.and(narrow, from, each)
      from = narrow
    }
    return { mask: narrow, total: left }
  }

  protected documentsWith(value: Value): Bitmap {
    return this.values.get(value.filter)?.get(value.value)?.documents ?? this.empty()
  }

  /** The members of a set, until the next ones are asked for. */
  protected membersOf(mask: Bitmap): Int32Array {
    const { documents } = this.rows
    return documents.subarray(0, membersOf(mask, documents))
  }

  /** A bitmap for the time of one call. */
  protected spare(): Bitmap {
    const bitmap = (this.#scratch[this.#taken] ??= this.bitmaps.begin())
    this.#taken += 1
    return bitmap
  }

  /** All bitmaps of the call before may be used again. */
  protected beginCall(): void {
    this.#taken = 0
  }

  protected empty(): Bitmap {
    const empty = this.spare()
    empty.words.fill(0)
    return empty
  }

  protected copy(bitmap: Bitmap): Bitmap {
    const copy = this.spare()
    copy.words.set(bitmap.words)
    return copy
  }
}
