import { sql } from 'kysely'
import type { Db, Tx } from '../../db/connection.ts'
import { prepare, runPrepared } from '../../db/prepared.ts'
import { fromSnapshot, type Openings, type StoredOpening, toSnapshot } from './openings.rules.ts'

/** Keeps other matching for a practitioner waiting until the transaction ends. */
export async function lockMatching(tx: Tx, practitionerId: number): Promise<void> {
  await takeLock(tx, { practitionerId })
}

const takeLock = prepare(
  (at: { practitionerId: number }) =>
    sql`select pg_advisory_xact_lock(hashtext('waitlist'), ${at.practitionerId}::int)`,
)

/** The last snapshot of a practitioner; undefined if there is none. */
export async function readSnapshot(db: Db, practitionerId: number): Promise<Openings | undefined> {
  const [row] = await runPrepared(db, snapshotOf(db, practitionerId))
  return row && fromSnapshot(row)
}

/** The last snapshot and when it was taken. Locks it until the transaction ends. */
export async function lockSnapshot(tx: Tx, practitionerId: number) {
  const [row] = await runPrepared(tx, snapshotOf(tx, practitionerId).forUpdate())
  return row && { openings: fromSnapshot(row), takenAt: row.taken_at }
}

const snapshotOf = (db: Db, practitionerId: number) =>
  db
    .selectFrom('waitlist_snapshots')
    .select(['starts', 'openings', 'taken_at'])
    .where('practitioner_id', '=', practitionerId)
    .$narrowType<{ openings: StoredOpening[] | null }>()

/** Stores what can begin when, as seen at a time. */
export async function writeSnapshot(
  tx: Tx,
  practitionerId: number,
  openings: Openings,
  takenAt: Date,
): Promise<void> {
  const stored = toSnapshot(openings)
  const changed = {
    digest: sql<Buffer>`sha256(array_to_string(${stored.starts}::int[], ',')::bytea)`,
    starts: stored.starts,
    openings: JSON.stringify(stored.openings),
    taken_at: takenAt,
  }
  await runPrepared(
    tx,
    tx
      .insertInto('waitlist_snapshots')
      .values({ practitioner_id: practitionerId, ...changed })
      .onConflict((conflict) => conflict.column('practitioner_id').doUpdateSet(changed)),
  )
}

/** Notes that a practitioner who is not listed was looked at. What was free stays known for when they are again. */
export async function markLooked(tx: Tx, practitionerId: number, takenAt: Date): Promise<void> {
  await tx
    .updateTable('waitlist_snapshots')
    .set({ taken_at: takenAt })
    .where('practitioner_id', '=', practitionerId)
    .execute()
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

/** Practitioners with waiting entries and no mark who were last looked at before a time, or never; the longest ago first. */
export async function listStale(db: Db, before: Date, limit: number): Promise<number[]> {
  const { rows } = await sql<{ practitioner_id: number }>`
    select e.practitioner_id from waitlist_entries e
      left join waitlist_snapshots s using (practitioner_id)
    where e.state = 'waiting' and (s.taken_at is null or s.taken_at <= ${before})
      and not exists (select from waitlist_marks m where m.practitioner_id = e.practitioner_id)
    group by e.practitioner_id, s.taken_at order by s.taken_at, e.practitioner_id limit ${limit}`.execute(db)
  return rows.map((row) => row.practitioner_id)
}
