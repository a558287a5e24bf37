import { sql } from 'kysely'
import type { Db, Tx } from '../../db/connection.ts'
import { prepare, runPrepared } from '../../db/prepared.ts'

/** Keeps other matching for a practitioner waiting until the transaction ends. */
export async function lockMatching(tx: Tx, practitionerId: number): Promise<void> {
  await takeLock(tx, { practitionerId })
}

const takeLock = prepare(
  (at: { practitionerId: number }) =>
    sql`select pg_advisory_xact_lock(hashtext('waitlist'), ${at.practitionerId}::int)`,
)

export async function readSnapshot(db: Db, practitionerId: number) {
  const query = db
    .selectFrom('waitlist_snapshots')
    .select(['digest', 'starts', 'taken_at'])
    .where('practitioner_id', '=', practitionerId)
  const [row] = await runPrepared(db, query)
  return row
}

export async function writeSnapshot(
  tx: Tx,
  snapshot: { practitioner_id: number; digest: Uint8Array; starts: number[]; taken_at: Date },
): Promise<void> {
  const { practitioner_id: _, ...changed } = snapshot
  await runPrepared(
    tx,
    tx
      .insertInto('waitlist_snapshots')
      .values(snapshot)
      .onConflict((conflict) => conflict.column('practitioner_id').doUpdateSet(changed)),
  )
}

/** Takes the starts of sessions out of the last snapshot, so that they are new when a session is cancelled. */
export async function forgetStarts(
  tx: Tx,
  practitionerId: number,
  times: readonly { from: Date; to: Date }[],
): Promise<void> {
  // Help right now begins within a minute.
  const minuteFrom = (instant: Date) => Math.ceil(instant.getTime() / 60_000)
  const from = times.map((time) => minuteFrom(time.from))
  const to = times.map((time) => minuteFrom(time.to))
  const within = sql`exists (select from unnest(${from}::int[], ${to}::int[]) taken (starts, ends)
    where start >= starts and start < ends)`
  await sql`
    update waitlist_snapshots set starts = kept.starts, digest = sha256(array_to_string(kept.starts, ',')::bytea)
    from (select coalesce(array_agg(start order by start) filter (where not (${within})), '{}') as starts
      from waitlist_snapshots before, unnest(before.starts) start where before.practitioner_id = ${practitionerId}) kept
    where practitioner_id = ${practitionerId} and exists (select from unnest(waitlist_snapshots.starts) start where ${within})`.execute(
    tx,
  )
}

export type Freed = { from: Date; to: Date }

/**
 * Marks that the free time of a practitioner may have grown, if a client waits for it; and at once, if an offer is open.
 * Returns which marks were written.
 */
export async function insertMarks(
  tx: Tx,
  practitionerId: number,
  due: { match: Date; next: Date },
  freed: Freed | undefined,
): Promise<{ is_next_round: boolean }[]> {
  const { rows } = await sql<{ is_next_round: boolean }>`
    insert into waitlist_marks (practitioner_id, due_at, is_next_round, freed)
    select ${practitionerId}::int, due.at, due.is_next, case when not due.is_next and ${freed !== undefined}::boolean
      then tstzrange(${freed?.from ?? null}::timestamptz, ${freed?.to ?? null}::timestamptz) end
    from (values (${due.match}::timestamptz, false), (${due.next}::timestamptz, true)) due (at, is_next)
    where case when due.is_next
      then exists (select from waitlist_offers o where o.practitioner_id = ${practitionerId}::int
        and o.starts_at > ${due.next}::timestamptz and o.state = 'open')
      else exists (select from waitlist_entries e where e.practitioner_id = ${practitionerId}::int and e.state = 'waiting') end
    returning is_next_round`.execute(tx)
  return rows
}

/** Marks that the next client is to be asked. */
export async function insertNextMark(tx: Tx, practitionerId: number, dueAt: Date): Promise<void> {
  await tx
    .insertInto('waitlist_marks')
    .values({ practitioner_id: practitionerId, due_at: dueAt, is_next_round: true })
    .execute()
}

/** The marks of a practitioner, and the times that those have freed which are not due yet. */
export async function readMarks(db: Db, practitionerId: number, now: Date) {
  const query = db
    .selectFrom('waitlist_marks')
    .select([
      'id',
      'is_next_round',
      'due_at',
      sql<Date | null>`lower(freed)`.as('from'),
      sql<Date | null>`upper(freed)`.as('to'),
    ])
    .where('practitioner_id', '=', practitionerId)
  const marks = await runPrepared(db, query)
  return {
    due: marks.filter(({ due_at }) => due_at <= now),
    fresh: marks.flatMap(({ due_at, from, to }) => (due_at > now && from && to ? { from, to } : [])),
  }
}

export async function deleteMarks(tx: Tx, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  await tx.deleteFrom('waitlist_marks').where('id', 'in', ids).execute()
}

/** Practitioners with marks that are due. */
export async function listMarked(db: Db, now: Date, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('waitlist_marks')
    .select('practitioner_id')
    .distinct()
    .where('due_at', '<=', now)
    .limit(limit)
    .execute()
  return rows.map((row) => row.practitioner_id)
}

/** Practitioners with waiting entries and no mark whose free times were last looked at before a time, or never. */
export async function listStale(db: Db, before: Date, limit: number): Promise<number[]> {
  const { rows } = await sql<{ practitioner_id: number }>`
    select distinct e.practitioner_id from waitlist_entries e
      left join waitlist_snapshots s using (practitioner_id)
    where e.state = 'waiting' and (s.taken_at is null or s.taken_at <= ${before})
      and not exists (select from waitlist_marks m where m.practitioner_id = e.practitioner_id) limit ${limit}`.execute(
    db,
  )
  return rows.map((row) => row.practitioner_id)
}
