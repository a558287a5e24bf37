import { sql } from 'kysely'
import type { WaitlistOfferState } from '#contract/waitlist/waitlist.ts'
import type { Db, NewRow, Tx } from '../../db/connection.ts'
import { runPrepared } from '../../db/prepared.ts'
import { assertOfferStep, type LastOffer } from './waitlist.rules.ts'

const offers = (db: Db) =>
  db
    .selectFrom('waitlist_offers as o')
    .innerJoin('waitlist_entries as e', 'e.id', 'o.entry_id')
    .selectAll('o')
    .select(['e.client_id', 'e.timezone', 'e.state as entry_state', 'e.swaps_appointment_id'])

/** Those of a kind that are open. */
const openOffers = (db: Db, kind: 'turn' | 'broadcast') =>
  offers(db).where('o.kind', '=', kind).where('o.state', '=', 'open')

/** Their ids, without what is known of their entries. */
const openIds = (db: Db, kind: 'turn' | 'broadcast') =>
  db.selectFrom('waitlist_offers').select('id').where('kind', '=', kind).where('state', '=', 'open')

export type OfferRow = NonNullable<Awaited<ReturnType<typeof findOffer>>>

export function findOffer(db: Db, id: string) {
  return offers(db).where('o.id', '=', id).executeTakeFirst()
}

export function findOfferOf(db: Db, appointmentId: string) {
  return offers(db).where('o.appointment_id', '=', appointmentId).executeTakeFirst()
}

/** The turn of an entry that was withdrawn last after its client had heard of it. */
export function findLastWithdrawn(db: Db, entryId: string): Promise<{ id: string } | undefined> {
  return db
    .selectFrom('waitlist_offers')
    .select('id')
    .where('entry_id', '=', entryId)
    .where('state', '=', 'withdrawn')
    .where('started_at', 'is not', null)
    .orderBy('closed_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function insertOffers(tx: Tx, rows: NewRow<'waitlist_offers'>[]): Promise<void> {
  if (rows.length === 0) return
  const query = tx.insertInto('waitlist_offers').values(rows)
  // The text of several rows is another one for each number of them.
  await (rows.length === 1 ? runPrepared(tx, query) : query.execute())
}

/** Closes an open offer. Returns false if it is closed already. */
export async function closeOffer(
  tx: Tx,
  id: string,
  to: Exclude<WaitlistOfferState, 'open'>,
  now: Date,
): Promise<boolean> {
  assertOfferStep('open', to)
  const { numUpdatedRows } = await tx
    .updateTable('waitlist_offers')
    .set({ state: to, closed_at: now })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Starts the clock of an open turn. Returns false if it runs already or the turn is over. */
export async function startOffer(tx: Tx, id: string, now: Date, expiresAt: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('waitlist_offers')
    .set({ started_at: now, expires_at: expiresAt })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .where('started_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Open offers of an entry, soonest first, and when the turns that have started end; the bank's question extends them. */
export function listOpenOf(db: Db, entryId: string) {
  return offers(db)
    .leftJoin('reservations as r', 'r.id', 'o.reservation_id')
    .select(
      sql<Date | null>`case when o.started_at is not null then deadline_of(r.origin, r.hold_expires_at) end`.as(
        'turn_ends_at',
      ),
    )
    .where('o.entry_id', '=', entryId)
    .where('o.state', '=', 'open')
    .orderBy('o.starts_at')
    .execute()
}

/** The open offer to a client of a time of a practitioner: their turn, or a broadcast. */
export function findOfferTo(
  db: Db,
  { clientId, practitionerId, startsAt }: { clientId: string; practitionerId: number; startsAt: Date },
) {
  return offers(db)
    .where('o.state', '=', 'open')
    .where('e.client_id', '=', clientId)
    .where('o.practitioner_id', '=', practitionerId)
    .where('o.starts_at', '=', startsAt)
    .orderBy('o.kind', 'desc')
    .executeTakeFirst()
}

/** Every offer to a client, newest first. */
export function listOffersOf(db: Db, clientId: string) {
  return offers(db).where('e.client_id', '=', clientId).orderBy('o.made_at', 'desc').orderBy('o.id').execute()
}

/** Open turns of a practitioner, with their holds, and whether time off, their own calendar or a place given up blocks them. */
export function listOpenTurns(db: Db, practitionerId: number) {
  return openOffers(db, 'turn')
    .innerJoin('reservations as r', 'r.id', 'o.reservation_id')
    .innerJoin('appointments as a', 'a.id', 'o.appointment_id')
    .select([
      sql<Date | null>`deadline_of(r.origin, r.hold_expires_at)`.as('hold_expires_at'),
      'a.ends_at',
      sql<boolean>`exists (select from time_off t where t.practitioner_id = o.practitioner_id
          and t.during && r.during)
        or exists (select from busy_elsewhere b where b.practitioner_id = o.practitioner_id
          and b.during && r.during)
        or exists (select from locations l where l.id = a.location_id and l.removed_at is not null)`.as(
        'is_away',
      ),
    ])
    .where('o.practitioner_id', '=', practitionerId)
    .orderBy('o.starts_at')
    .execute()
}

/** Open turns of a client whose clock has not started. */
export async function listUnstartedOf(db: Db, clientId: string): Promise<string[]> {
  const rows = await openOffers(db, 'turn')
    .where('e.client_id', '=', clientId)
    .where('o.started_at', 'is', null)
    .execute()
  return rows.map((row) => row.id)
}

/** Open turns that were made by a time and whose clock has not started. */
export async function listUnstarted(db: Db, madeBy: Date, limit: number): Promise<string[]> {
  const rows = await openIds(db, 'turn')
    .where('started_at', 'is', null)
    .where('made_at', '<=', madeBy)
    .orderBy('made_at')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}

/** Open broadcasts of a practitioner that start in a range. */
export function listBroadcasts(db: Db, practitionerId: number, { from, to }: { from: Date; to: Date }) {
  return openOffers(db, 'broadcast')
    .where('o.practitioner_id', '=', practitionerId)
    .where('o.starts_at', '>=', from)
    .where('o.starts_at', '<', to)
    .orderBy('o.id')
    .execute()
}

/** The open broadcasts to the client of one, itself included, that the same run made; the first to start first. */
export function listBroadcastsWith(
  db: Db,
  { entry_id, made_at }: Pick<OfferRow, 'entry_id' | 'made_at'>,
): Promise<{ id: string; starts_at: Date }[]> {
  return db
    .selectFrom('waitlist_offers')
    .select(['id', 'starts_at'])
    .where('entry_id', '=', entry_id)
    .where('kind', '=', 'broadcast')
    .where('state', '=', 'open')
    .where('by_hand', '=', false)
    .where('made_at', '=', made_at)
    .orderBy('starts_at')
    .orderBy('id')
    .execute()
}

/** Entries that have an open broadcast of a start. */
export async function listTold(db: Db, practitionerId: number, startsAt: Date): Promise<Set<string>> {
  const query = db
    .selectFrom('waitlist_offers')
    .select('entry_id')
    .where('practitioner_id', '=', practitionerId)
    .where('starts_at', '=', startsAt)
    .where('kind', '=', 'broadcast')
    .where('state', '=', 'open')
  return new Set((await runPrepared(db, query)).map((row) => row.entry_id))
}

/** Ids of a practitioner's open broadcasts of sessions that time off or the practitioner's own calendar would cut. */
export async function listBroadcastsAway(db: Db, practitionerId: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select o.id from waitlist_offers o join waitlist_entries e on e.id = o.entry_id
      left join practitioner_services s on s.practitioner_id = o.practitioner_id and s.service_id = e.service_id
        and s.appointment_type = e.appointment_type
      cross join lateral tstzrange(o.starts_at,
        o.starts_at + make_interval(mins => coalesce(s.duration_minutes, 1))) session
    where o.practitioner_id = ${practitionerId} and o.kind = 'broadcast' and o.state = 'open'
      and (exists (select from time_off t where t.practitioner_id = o.practitioner_id and t.during && session)
        or exists (select from busy_elsewhere b where b.practitioner_id = o.practitioner_id
          and b.during && session))`.execute(db)
  return rows.map((row) => row.id)
}

/** Ids of open broadcasts of times before a time. */
export async function listPastBroadcasts(db: Db, before: Date, limit: number): Promise<string[]> {
  const rows = await openIds(db, 'broadcast').where('starts_at', '<=', before).limit(limit).execute()
  return rows.map((row) => row.id)
}

/** The last offer of each start of a practitioner, by epoch milliseconds. */
export async function readLastOffers(
  db: Db,
  practitionerId: number,
  after: Date,
): Promise<Map<number, LastOffer>> {
  const query = db
    .selectFrom('waitlist_offers')
    .distinctOn('starts_at')
    .select(['starts_at', 'kind', 'round', 'freed_at', 'closed_at', 'state'])
    .where('practitioner_id', '=', practitionerId)
    .where('starts_at', '>', after)
    .orderBy('starts_at')
    .orderBy('made_at', 'desc')
    // One that ended at once is followed within the same millisecond.
    .orderBy('round', 'desc')
    .orderBy('id', 'desc')
  return new Map(
    (await runPrepared(db, query)).map((row) => [
      row.starts_at.getTime(),
      { kind: row.kind, round: row.round, freedAt: row.freed_at, closedAt: row.closed_at, state: row.state },
    ]),
  )
}

/** Entries that were offered a start since it came free. */
export async function listAskedSince(
  db: Db,
  practitionerId: number,
  startsAt: Date,
  freedAt: Date,
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('waitlist_offers')
    .select('entry_id')
    .where('practitioner_id', '=', practitionerId)
    .where('starts_at', '=', startsAt)
    .where('freed_at', '=', freedAt)
    .execute()
  return new Set(rows.map((row) => row.entry_id))
}

/** Entries that have declined a start, for each start of a time. */
export async function listDeclined(
  db: Db,
  practitionerId: number,
  { from, to }: { from: Date; to: Date },
): Promise<Map<number, Set<string>>> {
  const rows = await db
    .selectFrom('waitlist_offers')
    .select(['starts_at', 'entry_id'])
    .where('practitioner_id', '=', practitionerId)
    .where('starts_at', '>=', from)
    .where('starts_at', '<', to)
    .where('state', '=', 'declined')
    .execute()
  const byStart = Map.groupBy(rows, (row) => row.starts_at.getTime())
  return new Map([...byStart].map(([start, all]) => [start, new Set(all.map((row) => row.entry_id))]))
}
