import { sql } from 'kysely'
import type { WaitlistEntryState } from '#contract/waitlist/waitlist.ts'
import type { Db, NewRow, Patch, Tx } from '../../db/connection.ts'
import { countRows } from '../../db/count-rows.ts'
import { prepare, runPrepared } from '../../db/prepared.ts'
import { assertEntryStep, liveStates, type Window, type Wishes } from './waitlist.rules.ts'

const entries = (db: Db) =>
  db
    .selectFrom('waitlist_entries as e')
    .innerJoin('services as s', 's.id', 'e.service_id')
    .innerJoin('practitioners as p', 'p.id', 'e.practitioner_id')
    .selectAll('e')
    .select(['s.name as service_name', 'p.account_id as practitioner_account_id'])
    .$narrowType<{ windows: Window[] }>()

export type EntryRow = NonNullable<Awaited<ReturnType<typeof findEntry>>>

export function findEntry(db: Db, id: string) {
  return entries(db).where('e.id', '=', id).executeTakeFirst()
}

/** As `findEntry`, and locks the entry until the transaction ends. */
export function lockEntry(tx: Tx, id: string): Promise<EntryRow | undefined> {
  return entries(tx).where('e.id', '=', id).forUpdate('e').executeTakeFirst()
}

/** The live entries of a client, newest first. */
export function listEntriesOf(db: Db, clientId: string) {
  return entries(db)
    .where('e.client_id', '=', clientId)
    .where('e.state', 'in', liveStates)
    .orderBy('e.joined_at', 'desc')
    .orderBy('e.id')
    .execute()
}

/** Every entry of a client, newest first. */
export function listAllEntriesOf(db: Db, clientId: string) {
  return entries(db)
    .innerJoin('accounts as owner', 'owner.id', 'p.account_id')
    .select(sql<string>`owner.first_name || ' ' || owner.last_name`.as('practitioner_name'))
    .where('e.client_id', '=', clientId)
    .orderBy('e.joined_at', 'desc')
    .orderBy('e.id')
    .execute()
}

/** The live entries for a practitioner, longest waiting first, with the names of their clients. */
export function listEntriesFor(db: Db, practitionerId: number) {
  return entries(db)
    .innerJoin('accounts as a', 'a.id', 'e.client_id')
    .select(['a.first_name', 'a.last_name'])
    .where('e.practitioner_id', '=', practitionerId)
    .where('e.state', 'in', liveStates)
    .orderBy('e.joined_at')
    .orderBy('e.id')
    .execute()
}

export type WaitingRow = Pick<
  EntryRow,
  | 'id'
  | 'client_id'
  | 'practitioner_id'
  | 'service_id'
  | 'appointment_type'
  | 'windows'
  | 'earliest'
  | 'latest'
  | 'lead_minutes'
  | 'timezone'
  | 'swaps_appointment_id'
  | 'joined_at'
>

/** Those that wait for an offer, longest waiting first; all of them without a limit. */
export const listWaiting = prepare(
  (at: { practitionerId: number; limit: number | null }) => sql<WaitingRow>`
    select id, client_id, practitioner_id, service_id, appointment_type, windows, earliest, latest, lead_minutes, timezone,
      swaps_appointment_id, joined_at
    from waitlist_entries where practitioner_id = ${at.practitionerId}::int and state = 'waiting'
    order by joined_at, id limit ${at.limit}::int`,
)

/** Ids of a practitioner's entries in some states. */
export async function listIdsIn(
  db: Db,
  practitionerId: number,
  states: readonly WaitlistEntryState[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('waitlist_entries')
    .select('id')
    .where('practitioner_id', '=', practitionerId)
    .where('state', 'in', states)
    .orderBy('id')
    .execute()
  return rows.map((row) => row.id)
}

/** How many live entries a client has. */
export async function countLive(db: Db, clientId: string): Promise<number> {
  return countRows(
    db.selectFrom('waitlist_entries').where('client_id', '=', clientId).where('state', 'in', liveStates),
  )
}

/** How many wait for a practitioner or have an offer. */
export async function countWaiting(db: Db, practitionerId: number): Promise<number> {
  return countRows(
    db
      .selectFrom('waitlist_entries')
      .where('practitioner_id', '=', practitionerId)
      .where('state', 'in', ['waiting', 'offered']),
  )
}

/** The position of an entry among those that wait for the practitioner or have an offer, and how many they are. */
export async function readPlace(
  db: Db,
  entry: { id: string; practitioner_id: number; joined_at: Date },
): Promise<{ place: number; waiting: number }> {
  const { rows } = await sql<{ place: number; waiting: number }>`
    select (count(*) filter (where (joined_at, id) <= (${entry.joined_at}::timestamptz, ${entry.id}::uuid)))::int as place,
      count(*)::int as waiting
    from waitlist_entries where practitioner_id = ${entry.practitioner_id} and state in ('waiting', 'offered')`.execute(
    db,
  )
  return rows[0] ?? { place: 1, waiting: 1 }
}

/** Locks a client's list until the transaction ends, so that its length can be judged. */
export async function lockClient(tx: Tx, clientId: string): Promise<void> {
  await tx
    .selectFrom('clients')
    .select('account_id')
    .where('account_id', '=', clientId)
    .forNoKeyUpdate()
    .execute()
}

export type Terms = Wishes & { timezone: string; swaps_appointment_id: string | null }

/** Inserts an entry. Returns false if the client has a live one for the practitioner. */
export async function insertEntry(
  tx: Tx,
  entry: Omit<NewRow<'waitlist_entries'>, 'windows'> & Terms,
): Promise<boolean> {
  const row = await tx
    .insertInto('waitlist_entries')
    .values({ ...entry, windows: JSON.stringify(entry.windows) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function updateTerms(tx: Tx, id: string, { windows, ...terms }: Partial<Terms>): Promise<void> {
  const changed = { ...terms, ...(windows ? { windows: JSON.stringify(windows) } : {}) }
  if (Object.keys(changed).length === 0) return
  await tx.updateTable('waitlist_entries').set(changed).where('id', '=', id).execute()
}

/** Has the live entry of a client for a practitioner wait without giving up this session for a time. */
export async function dropSwap(
  tx: Tx,
  session: { id: string; client_id: string; practitioner_id: number },
): Promise<void> {
  await tx
    .updateTable('waitlist_entries')
    .set({ swaps_appointment_id: null })
    .where('client_id', '=', session.client_id)
    .where('practitioner_id', '=', session.practitioner_id)
    .where('swaps_appointment_id', '=', session.id)
    .where('state', 'in', liveStates)
    .execute()
}

/** Moves an entry along its life. The caller holds its lock. */
export async function changeEntry(
  tx: Tx,
  id: string,
  from: WaitlistEntryState,
  to: WaitlistEntryState,
  patch: Patch<'waitlist_entries'> = {},
): Promise<void> {
  assertEntryStep(from, to)
  const query = tx
    .updateTable('waitlist_entries')
    .set({ paused_by: null, ...patch, state: to })
    .where('id', '=', id)
    .where('state', '=', from)
    .returning('id')
  if ((await runPrepared(tx, query)).length !== 1)
    throw new Error('A waitlist entry was changed without its lock.')
}

/**
 * Live entries that end by a time, or of those the ones whose clients have not been asked yet. Those that wait for their
 * practitioner to be back are left out.
 */
export async function listEnding(
  db: Db,
  by: Date,
  limit: number,
  { isUnasked = false } = {},
): Promise<string[]> {
  const rows = await db
    .selectFrom('waitlist_entries')
    .select('id')
    .where('state', 'in', liveStates)
    .where('paused_by', 'is distinct from', 'practitioner')
    .where('ends_at', '<=', by)
    .$if(isUnasked, (query) => query.where('asked_at', 'is', null))
    .orderBy('ends_at')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}

/** Records that a client is asked whether to go on. Returns false if they have been. */
export async function markAsked(tx: Tx, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('waitlist_entries')
    .set({ asked_at: now })
    .where('id', '=', id)
    .where('asked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Keeps an entry until a later time; its client is asked again before that. */
export async function prolong(tx: Tx, id: string, endsAt: Date): Promise<void> {
  await tx
    .updateTable('waitlist_entries')
    .set({ ends_at: endsAt, asked_at: null })
    .where('id', '=', id)
    .execute()
}

/** Deletes the entries of a client, and their offers with them. */
export async function deleteEntriesOf(tx: Tx, clientId: string): Promise<void> {
  await tx.deleteFrom('waitlist_entries').where('client_id', '=', clientId).execute()
}
