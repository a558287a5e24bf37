import { availableParallelism } from 'node:os'
import { setImmediate as breathe } from 'node:timers/promises'
import { hours, seconds } from '../../../clock.ts'
import type { Db, Tx } from '../../../db/connection.ts'
import { afterCommit } from '../../../db/transaction.ts'
import type { Deps } from '../../../deps.ts'
import { errorName } from '../../../errors.ts'
import type { StoredWord } from '../search.store.ts'
import type { DirectoryHandle } from './directory-calls.ts'
import { localDirectoryIndex, threadedDirectoryIndex } from './directory-thread.ts'
import { toDirectoryRow } from './directory.mapper.ts'
import type { Option } from './directory.rules.ts'
import * as store from './directory.store.ts'

/**
 * How an instance searches. `off`: by SQL alone. `background`: by the index as soon as it is built, which begins when the
 * server listens. `awaited`: the first search builds the index and waits for it.
 */
export type DirectoryMode = 'off' | 'background' | 'awaited'

export type DirectorySettings = {
  mode: DirectoryMode
  /** Whether other instances write to the database. */
  isShared: boolean
  /** The share of searches that are compared with SQL, 0 to 1. */
  shadow: number
  /** From how many practitioners on the index has a thread of its own; `threadFrom` when absent. */
  threadFrom?: number
}

/**
 * A search of fewer costs less than passing it to another thread and its answer back. On one processor a second thread gains
 * nothing.
 */
const threadFrom = availableParallelism() > 1 ? 10_000 : Number.POSITIVE_INFINITY

/** The states of the index, and those that follow each. */
export const directoryStates = {
  none: ['building'],
  building: ['live', 'none'],
  live: ['off'],
  off: ['building'],
} as const
export type DirectoryState = keyof typeof directoryStates

export type DirectoryFigures = {
  state: DirectoryState
  practitioners: number
  compared: number
  differences: number
}

export type Directory = ReturnType<typeof createDirectory>

/** An index, with what its owner remembers of it. */
type Kept = {
  handle: DirectoryHandle
  /** The ids of the words that it has been given. */
  words: Set<number>
  practitioners: number
}

/** Changes of other instances are looked for so often, so that each is known within a second. */
const lookEvery = seconds(0.5)
/** A search looks for them itself if that has not been done for so long. */
const maxAge = seconds(1)
const rowsAtOnce = 500
const wordsAtOnce = 5000
const rowsPerCall = 50
/** The longest that rows are put in without a pause. */
const sliceMs = 8
const retryBuildAfter = seconds(5)
/** Removals are deleted after so long. An instance that has not looked for changes for half of it builds a new index. */
const removalsKept = hours(2)

/**
 * Keeps the index of the directory. What this instance commits is in it before the next search; what others commit
 * within a second.
 */
export function createDirectory(
  { db, reads, clock, log }: Pick<Deps, 'db' | 'reads' | 'clock' | 'log'>,
  settings: DirectorySettings,
  readOptions: () => Promise<Option[]>,
) {
  let state: DirectoryState = 'none'
  let index: Kept | undefined
  let horizon = '0'
  let timeline: string | undefined
  /** When the last look for changes that succeeded began, by `performance.now()` and by the clock of the product. */
  let lookedAt = { real: Number.NEGATIVE_INFINITY, clock: 0 }
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let building: Promise<void> | undefined
  let looking: Promise<void> | undefined
  let applying: Promise<void> | undefined
  /** Practitioners whose rows have to be read again. */
  let waiting = new Set<number>()
  /** Practitioners whose free time has changed, and nothing else in their rows. */
  let marked = new Set<number>()
  /** Counts changes, noted and applied. */
  let [noted, applied] = [0, 0]
  let version = 0
  const figures = { compared: 0, differences: 0 }
  const listeners: (() => void)[] = []

  const become = (next: DirectoryState) => {
    if (!(directoryStates[state] as readonly DirectoryState[]).includes(next)) {
      throw new Error(`The index of the directory cannot become ${next} while it is ${state}.`)
    }
    state = next
  }

  const isLive = () => state === 'live'

  function note(to: Set<number>, ids: readonly number[]): void {
    if (!index || ids.length === 0) return
    noted += 1
    for (const id of ids) to.add(id)
  }

  async function applyWaiting(to: Kept): Promise<void> {
    const ids = [...waiting]
    const marks = [...marked].filter((id) => !waiting.has(id))
    const upTo = noted
    waiting = new Set()
    marked = new Set()
    try {
      // What was put before may have been read before the mark, and nothing is put meanwhile.
      if (marks.length > 0) await to.handle.ask('mark', marks)
      for (let from = 0; from < ids.length; from += rowsAtOnce) {
        const some = ids.slice(from, from + rowsAtOnce)
        const rows = await store.readRows(db, some)
        await put(to, db, rows)
        const found = new Set(rows.map((row) => row.id))
        const removed = some.filter((id) => !found.has(id))
        if (removed.length > 0) to.practitioners = await to.handle.ask('remove', removed)
      }
      applied = upTo
      version += 1
    } catch (error) {
      for (const id of ids) waiting.add(id)
      for (const id of marks) marked.add(id)
      throw error
    }
  }

  /** Waits until everything noted before is in the index. */
  async function settle(): Promise<void> {
    const wanted = noted
    while (applied < wanted) {
      const to = index
      if (!to) return
      applying ??= applyWaiting(to).finally(() => {
        applying = undefined
      })
      await applying
    }
  }

  async function put(to: Kept, handle: Db, rows: readonly store.StoredRow[]): Promise<void> {
    const all = rows.map(toDirectoryRow)
    const unknown = [...new Set(all.flatMap((row) => row.wordIds.filter((id) => !to.words.has(id))))]
    if (unknown.length > 0) await addWords(to, await store.readWordsOf(handle, unknown))
    let began = performance.now()
    for (let from = 0; from < all.length; from += rowsPerCall) {
      to.practitioners = await to.handle.ask('put', all.slice(from, from + rowsPerCall))
      if (performance.now() - began < sliceMs) continue
      await breathe()
      began = performance.now()
    }
  }

  async function addWords(to: Kept, added: readonly StoredWord[]): Promise<void> {
    await to.handle.ask('addWords', added)
    for (const { id } of added) to.words.add(id)
  }

  /** Notes what other instances have changed, and waits until it is in the index. */
  function look(): Promise<void> {
    looking ??= lookOnce().finally(() => {
      looking = undefined
    })
    return looking
  }

  async function lookOnce(): Promise<void> {
    const known = index
    if (!known) return
    const began = { real: performance.now(), clock: clock.now().getTime() }
    const changes = await store.readChanges(db, horizon)
    if (timeline !== undefined && timeline !== changes.timeline) {
      // A new primary may lack what the index knows, and numbers its transactions anew.
      timeline = changes.timeline
      if (!isLive()) throw new Error('The primary changed while the index was built.')
      distrust()
      return
    }
    timeline = changes.timeline
    const isAny = changes.written.length + changes.removed.length + changes.marked.length > 0
    const outdated = isAny ? await known.handle.ask('outdated', changes) : { changed: [], marked: [] }
    note(waiting, outdated.changed)
    note(marked, outdated.marked)
    await settle()
    horizon = changes.horizon
    lookedAt = began
    if (outdated.changed.length + outdated.marked.length > 0) for (const listener of listeners) listener()
  }

  function build(): Promise<void> {
    building ??= buildOnce().finally(() => {
      building = undefined
    })
    return building
  }

  async function buildOnce(): Promise<void> {
    become('building')
    try {
      const options = await readOptions()
      // Rows may come from a replica: what the primary has written meanwhile is read from there afterwards.
      horizon = await reads.whole(async (handle) => {
        const since = await store.readHorizon(handle)
        const rowCount = await store.countRows(handle)
        const made = begin(options, rowCount)
        await made.handle.ask('reserve', Math.ceil(1.02 * rowCount))
        for (let after = 0; ; ) {
          const some = await store.readWordsAfter(handle, after, wordsAtOnce)
          await addWords(made, some)
          if (some.length < wordsAtOnce) break
          after = some.at(-1)?.id ?? after
        }
        for (let after = 0; ; ) {
          if (isStopped) break
          const rows = await store.readRowsAfter(handle, after, rowsAtOnce)
          await put(made, handle, rows)
          if (rows.length < rowsAtOnce) break
          after = rows.at(-1)?.id ?? after
        }
        return since
      })
      await look()
      become('live')
    } catch (error) {
      giveUp()
      become('none')
      throw error
    }
  }

  /** Begins an empty index for so many practitioners. */
  function begin(options: Option[], rowCount: number): Kept {
    giveUp()
    const isThreaded = rowCount >= (settings.threadFrom ?? threadFrom)
    const onLost = () => {
      log.warn('The thread of the index of the directory ended.')
      if (index?.handle !== handle || !isLive()) return
      drop()
      buildLater()
    }
    const handle = isThreaded ? threadedDirectoryIndex(options, onLost) : localDirectoryIndex(options)
    index = { handle, words: new Set(), practitioners: 0 }
    return index
  }

  function giveUp(): void {
    void index?.handle.close()
    index = undefined
  }

  function drop(): void {
    become('off')
    giveUp()
    waiting = new Set()
    marked = new Set()
    applied = noted
  }

  /** Goes back to SQL and builds a new index. */
  function distrust(): void {
    if (state !== 'live') return
    drop()
    buildInBackground()
  }

  function buildInBackground(): void {
    build().catch((error: unknown) => {
      log.warn(`The index of the directory was not built: ${errorName(error)}.`)
      buildLater()
    })
  }

  function buildLater(): void {
    if (!isStopped) timer = setTimeout(buildInBackground, retryBuildAfter).unref()
  }

  function lookAgain(): void {
    if (isStopped || !settings.isShared) return
    timer = setTimeout(() => {
      const turn = state === 'live' ? look() : Promise.resolve()
      // A search looks for itself if this has failed.
      turn.catch(() => undefined).finally(lookAgain)
    }, lookEvery).unref()
  }

  return {
    settings,

    /** Begins to build the index and to look for changes. */
    start(): void {
      if (settings.mode !== 'background') return
      buildInBackground()
      lookAgain()
    },

    async stop(): Promise<void> {
      isStopped = true
      clearTimeout(timer)
      await Promise.allSettled([building, looking, applying])
      await index?.handle.close()
    },

    /**
     * The index, with all changes of this instance and those of others that are a second old. Undefined while it is not
     * built, or where the database cannot be asked for changes.
     */
    async current(): Promise<DirectoryHandle | undefined> {
      if (settings.mode === 'off' || isStopped) return undefined
      try {
        if (settings.mode === 'awaited' && state !== 'live') await build()
        if (state !== 'live') return undefined
        const age = performance.now() - lookedAt.real
        if (age > removalsKept / 2) {
          drop()
          buildInBackground()
          return undefined
        }
        if (age > maxAge || Math.abs(clock.now().getTime() - lookedAt.clock) > maxAge) await look()
        if (applied < noted) await settle()
        return isLive() ? index?.handle : undefined
      } catch (error) {
        log.warn(`The search goes by SQL: ${errorName(error)}.`)
        return undefined
      }
    },

    /** Reads the rows of practitioners again as soon as the transaction has committed. */
    changed(tx: Tx, ids: readonly number[]): void {
      if (settings.mode !== 'off') afterCommit(tx, () => note(waiting, ids))
    },

    /** The free time of a practitioner has been marked as changed once the transaction has committed. */
    marked(tx: Tx, id: number): void {
      if (settings.mode !== 'off') afterCommit(tx, () => note(marked, [id]))
    },

    /** Reads the rows of practitioners again whose free time may have been computed anew. */
    async reread(ids: readonly number[]): Promise<void> {
      note(waiting, ids)
      await settle()
    },

    /** Reads all rows again that are known to be marked. */
    async rereadMarked(): Promise<void> {
      if (index) note(waiting, await index.handle.ask('marked'))
      await settle()
    },

    /** Has everything be read that was written since the last look, by any means. */
    async refresh(): Promise<void> {
      if (index) await look()
    },

    /** Calls `listener` when other instances have changed what searches show. */
    onChangeElsewhere(listener: () => void): void {
      listeners.push(listener)
    },

    /** Counts changes that were applied. */
    version: () => version,

    compared(isEqual: boolean): void {
      figures.compared += 1
      if (!isEqual) figures.differences += 1
    },

    distrust,

    figures: (): DirectoryFigures => ({ state, practitioners: index?.practitioners ?? 0, ...figures }),

    tidy: () => store.deleteOldRemovals(db, new Date(clock.now().getTime() - removalsKept)),
  }
}
