import { inTransaction } from '../../db/transaction.ts'
import type { Tx } from '../../db/connection.ts'
import type { Deps } from '../../deps.ts'
import type { Availability } from '../availability/availability.service.ts'
import type { Directory } from './directory/directory.service.ts'
import * as freeTime from './free-time.store.ts'
import { toFreeColumns } from './search.mapper.ts'
import * as store from './search.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock'> & {
  directory: Pick<Directory, 'changed'>
  availability: Pick<Availability, 'outlook'>
}

/**
 * Most rows outdated by time alone that a request refreshes before it searches by time. It covers a directory of some
 * hundreds after the turn of an hour. A job refreshes the rest of a larger one every minute.
 */
const refreshedPerRequest = 300

/** Computes the free time of search rows anew that is out of date. */
export function createFreeTime({ db, clock, directory, availability }: Dependencies) {
  return { refreshMarked, refreshSome, refreshAmong, withFreshTimes }

  /**
   * Refreshes rows before a search by time: all that are marked, so that no fully booked practitioner is found by a date,
   * and some that are outdated by time alone.
   */
  async function refreshMarked(): Promise<void> {
    while ((await refreshSome(refreshedPerRequest, 'wait')).marked === refreshedPerRequest);
  }

  /**
   * @returns the number of refreshed rows, how many of those chosen were marked, and whether there may be more: rows that
   * others have locked or refreshed meanwhile do not count as refreshed
   */
  async function refreshSome(
    limit: number,
    busy: 'wait' | 'skip',
  ): Promise<{ rows: number; marked: number; isMore: boolean }> {
    const now = clock.now()
    const { ids, marked } = await freeTime.readStale(db, now, limit)
    return { rows: await refreshAmong(ids, now, busy), marked, isMore: ids.length >= limit }
  }

  /** Refreshes those of the rows that are still out of date once they are locked. Returns their number. */
  async function refreshAmong(ids: number[], now: Date, busy: 'wait' | 'skip' = 'wait'): Promise<number> {
    if (ids.length === 0) return 0
    return inTransaction(db, async (tx) => {
      const locked = await freeTime.lockRows(tx, ids, now, busy)
      const marked = await freeTime.deleteMarks(
        tx,
        locked.map((row) => row.practitioner_id),
      )
      const stale = locked.filter((row) => row.is_expired || marked.has(row.practitioner_id))
      await writeFreeTime(tx, stale)
      directory.changed(
        tx,
        stale.map((row) => row.practitioner_id),
      )
      return stale.length
    })
  }

  /** The same rows with current next free times. */
  async function withFreshTimes(rows: store.FoundRow[]): Promise<store.FoundRow[]> {
    const now = clock.now()
    const isStale = (row: store.FoundRow) => row.fresh_until <= now || row.next_starts === null
    const stale = rows.filter(isStale).map((row) => row.practitioner_id)
    if (stale.length === 0) return rows
    await refreshAmong(stale, now)
    const times = new Map((await store.readNextFree(db, stale)).map((row) => [row.practitioner_id, row]))
    return rows.map((row) => ({ ...row, ...times.get(row.practitioner_id) }))
  }

  /** The caller must have locked the rows, so that the free times read here are newer than those stored. */
  async function writeFreeTime(tx: Tx, rows: freeTime.LockedRow[]): Promise<void> {
    if (rows.length === 0) return
    const ids = rows.map((row) => row.practitioner_id)
    const outlooks = await availability.outlook(tx, ids, clock.now())
    const known = rows.flatMap(({ practitioner_id, merit }) => {
      const outlook = outlooks.get(practitioner_id)
      return outlook ? [toFreeColumns(practitioner_id, merit, outlook)] : []
    })
    await store.updateFree(tx, known)
    // A practitioner without an outlook is no longer listed.
    await store.deleteRows(
      tx,
      ids.filter((id) => !outlooks.has(id)),
    )
  }
}
