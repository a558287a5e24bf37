import { sql } from 'kysely'
import type { Db, Tx } from '../../db/connection.ts'
import { prepare } from '../../db/prepared.ts'

// The free time in search rows is out of date once a change has marked it, or once its time is over.

/** Whether the free time of a practitioner has changed since their row was computed. */
export const isMarked = (id: string) =>
  sql<boolean>`exists (select from practitioner_search_marks m where m.practitioner_id = ${sql.ref(id)})`

/** A marked row has never been fresh. */
export const freshTime = (id: string) =>
  sql`case when ${isMarked(id)} then 'epoch'::timestamptz else fresh_until end`

export const freshUntil = (id: string) => sql`${freshTime(id)} as fresh_until`

/** Marks the free time of a practitioner as changed. Never waits for another transaction. */
export const insertMark = prepare(
  (at: { practitionerId: number }) =>
    sql`insert into practitioner_search_marks (practitioner_id) values (${at.practitionerId}::int)`,
)

/**
 * Deletes the marks of practitioners whose free time is read anew by a later statement of the transaction. Returns the
 * practitioners that were marked.
 */
export async function deleteMarks(tx: Db, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ practitioner_id: number }>`
    delete from practitioner_search_marks where practitioner_id = any(${ids}::int[])
    returning practitioner_id`.execute(tx)
  return new Set(rows.map((row) => row.practitioner_id))
}

/** Deletes marks of practitioners without a row. One that is about to get a row is left to the next time. */
export async function deleteOrphanMarks(tx: Tx, limit: number): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from practitioners
    where id in (select practitioner_id from practitioner_search_marks m
      where not exists (select from practitioner_search s where s.practitioner_id = m.practitioner_id))
    order by id limit ${limit} for share skip locked`.execute(tx)
  if (rows.length === 0) return
  await sql`
    delete from practitioner_search_marks m where practitioner_id = any(${rows.map(({ id }) => id)}::int[])
      and not exists (select from practitioner_search s where s.practitioner_id = m.practitioner_id)`.execute(
    tx,
  )
}

export type LockedRow = { practitioner_id: number; merit: number; is_expired: boolean }

/** When the free time of a row has been outdated by time alone. */
const isExpired = (now: Date) => sql<boolean>`(fresh_until <= ${now} or next_starts is null)`

/** Out of date: `marked` by a change, or by time alone, the longest first. */
export type Stale = { ids: number[]; marked: number }

/** Practitioners whose free time is out of date, those first that are marked. */
export async function readStale(db: Db, now: Date, limit: number): Promise<Stale> {
  const { rows } = await sql<{ id: number; is_marked: boolean }>`
    (select distinct practitioner_id as id, true as is_marked
      from practitioner_search_marks join practitioner_search using (practitioner_id) limit ${limit})
    union all
    (select practitioner_id, false from practitioner_search where fresh_until <= ${now}
      order by fresh_until limit ${limit})`.execute(db)
  const marked = rows.filter((row) => row.is_marked).length
  const ids = [...new Set(rows.map((row) => row.id))].slice(0, Math.max(limit, marked))
  return { ids, marked }
}

/**
 * Locks the rows of practitioners until the transaction ends. `skip` leaves out rows that another transaction has locked.
 * The order of locks is that of ids, as everywhere, to prevent deadlocks.
 */
export async function lockRows(
  tx: Tx,
  ids: readonly number[],
  now: Date,
  busy: 'wait' | 'skip',
): Promise<LockedRow[]> {
  const { rows } = await sql<LockedRow>`
    select practitioner_id, merit, ${isExpired(now)} as is_expired from practitioner_search
    where practitioner_id = any(${ids}::int[])
    order by practitioner_id for update ${busy === 'skip' ? sql`skip locked` : sql``}`.execute(tx)
  return rows
}
