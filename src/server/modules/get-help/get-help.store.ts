import { sql } from 'kysely'
import type { HelpRequestState } from '#contract/get-help/get-help.ts'
import type { HelpState } from '#contract/get-help/help-dispatch.ts'
import { givenBack } from '#contract/money.ts'
import type { Db, NewRow, Patch, Tx } from '../../db/connection.ts'
import { oneOf } from '../../db/one-of.ts'
import { assertDispatchStep, assertOfferStep } from './get-help.rules.ts'

// Searches --------------------------------------------------------------------------------------------------------

export type DispatchRow = NonNullable<Awaited<ReturnType<typeof findDispatch>>>

const dispatches = (db: Db) =>
  db
    .selectFrom('help_dispatches')
    .innerJoin('appointments', 'appointments.id', 'help_dispatches.appointment_id')
    .leftJoin('issues', 'issues.id', 'appointments.issue_id')
    .selectAll('help_dispatches')
    .select([
      'appointments.practitioner_id',
      'appointments.reservation_id',
      'appointments.issue_id',
      'issues.name as issue_name',
      'appointments.fee_pence',
      'appointments.sequence',
      'appointments.client_timezone',
    ])
    .select((eb) =>
      eb
        .selectFrom('help_offers')
        .whereRef('help_offers.appointment_id', '=', 'help_dispatches.appointment_id')
        .select((count) => count.fn.countAll<number>().as('asked'))
        .as('asked'),
    )
    .$narrowType<{ state: HelpState }>()

export function findDispatch(db: Db, appointmentId: string) {
  return dispatches(db).where('help_dispatches.appointment_id', '=', appointmentId).executeTakeFirst()
}

/** As `findDispatch`, kept from others until the transaction ends. Always locked before its appointment. */
export async function lockDispatch(tx: Tx, appointmentId: string) {
  await tx
    .selectFrom('help_dispatches')
    .select('appointment_id')
    .where('appointment_id', '=', appointmentId)
    .forUpdate()
    .execute()
  return findDispatch(tx, appointmentId)
}

/** The search that a client has under way, and otherwise the newest that ended after an instant. */
export function findLatest(db: Db, clientId: string, endedAfter: Date) {
  return dispatches(db)
    .where('help_dispatches.client_id', '=', clientId)
    .where((eb) => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>', endedAfter)]))
    .orderBy((eb) => eb('ended_at', 'is', null), 'desc')
    .orderBy('help_dispatches.created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** The id of a search that a client has under way. */
export async function findLiveId(db: Db, clientId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('help_dispatches')
    .select('appointment_id')
    .where('client_id', '=', clientId)
    .where('state', 'in', ['claimed', 'asking'])
    .executeTakeFirst()
  return row?.appointment_id
}

/** Searches that are under way and have claimed a practitioner, or ask them. */
export async function listLiveOf(
  db: Db,
  practitionerId: number,
  of?: { clientId: string },
): Promise<string[]> {
  const rows = await db
    .selectFrom('help_dispatches')
    .innerJoin('appointments', 'appointments.id', 'help_dispatches.appointment_id')
    .select('help_dispatches.appointment_id as id')
    .where('appointments.practitioner_id', '=', practitionerId)
    .where('appointments.state', '=', 'pending')
    .where('help_dispatches.state', 'in', ['claimed', 'asking'])
    .$if(of !== undefined, (query) => query.where('appointments.client_id', '=', String(of?.clientId)))
    .orderBy('help_dispatches.appointment_id')
    .execute()
  return rows.map((row) => row.id)
}

type NewDispatch = { appointment_id: string; client_id: string; deadline: Date; created_at: Date }

export async function insertDispatch(tx: Tx, dispatch: NewDispatch): Promise<void> {
  await tx
    .insertInto('help_dispatches')
    .values({ ...dispatch, state: 'claimed' })
    .execute()
}

/** Moves a search along its life. The caller holds its lock. */
export async function changeDispatch(
  tx: Tx,
  id: string,
  from: HelpState,
  to: HelpState,
  patch: Patch<'help_dispatches'>,
): Promise<void> {
  assertDispatchStep(from, to)
  const { numUpdatedRows } = await tx
    .updateTable('help_dispatches')
    .set({ ...patch, state: to })
    .where('appointment_id', '=', id)
    .where('state', '=', from)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new Error('A search for help was changed without its lock.')
}

export async function extendDeadline(tx: Tx, id: string, deadline: Date): Promise<void> {
  await tx
    .updateTable('help_dispatches')
    .set({ deadline, deadline_extended: true })
    .where('appointment_id', '=', id)
    .where('state', '=', 'claimed')
    .execute()
}

/** Searches whose deadline has come, and paid ones that a crash kept from going on. */
export async function listDue(db: Db, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select appointment_id as id from help_dispatches d
    where deadline <= ${now}
      or (state = 'claimed' and exists (select from payment_intents i
        where i.appointment_id = d.appointment_id and i.state = 'authorised'))
    order by deadline limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

/** Claims whose time to pay is over. */
export async function listUnpaid(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('help_dispatches')
    .select('appointment_id')
    .where('deadline', '<=', now)
    .where('state', '=', 'claimed')
    .orderBy('deadline')
    .limit(limit)
    .execute()
  return rows.map((row) => row.appointment_id)
}

// Requests --------------------------------------------------------------------------------------------------------

const offers = (db: Db) =>
  db
    .selectFrom('help_offers')
    .innerJoin('help_dispatches', 'help_dispatches.appointment_id', 'help_offers.appointment_id')
    .innerJoin('appointments', 'appointments.id', 'help_offers.appointment_id')
    .innerJoin('accounts as client', 'client.id', 'appointments.client_id')
    .innerJoin('practitioners', 'practitioners.id', 'help_offers.practitioner_id')
    .leftJoin('issues', 'issues.id', 'appointments.issue_id')
    .selectAll('help_offers')
    .select([
      'help_dispatches.dialog_id',
      'appointments.client_id',
      'appointments.issue_id',
      'appointments.fee_pence',
      'issues.name as issue_name',
      'client.first_name as client_first_name',
      'client.last_name as client_last_name',
      'practitioners.account_id as practitioner_account_id',
    ])
    .$narrowType<{ state: HelpRequestState }>()

export type OfferRow = NonNullable<Awaited<ReturnType<typeof findOffer>>>

export function findOffer(db: Db, id: string) {
  return offers(db).where('help_offers.id', '=', id).executeTakeFirst()
}

/** What a practitioner is asked now. */
export function listOpenOffers(db: Db, practitionerId: number) {
  return offers(db)
    .where('help_offers.practitioner_id', '=', practitionerId)
    .where('help_offers.state', '=', 'open')
    .orderBy('answer_by')
    .execute()
}

/** Today in a zone: the day's name, `YYYY-MM-DD`, and how many requests of it a practitioner has let go by. */
export async function readToday(db: Db, practitionerId: number, timezone: string, now: Date) {
  const { rows } = await sql<{ day: string; from: Date; missed: number }>`
    with today as (select date_trunc('day', ${now}::timestamptz at time zone ${timezone}) as midnight)
    select to_char(midnight, 'YYYY-MM-DD') as day, midnight at time zone ${timezone} as "from",
      (select count(*)::int from help_offers where practitioner_id = ${practitionerId} and state = 'lapsed'
        and asked_at >= midnight at time zone ${timezone}) as missed
    from today`.execute(db)
  const [today] = rows
  if (!today) throw new Error('There is no today.')
  return today
}

export type SessionRow = Awaited<ReturnType<typeof listSessions>>[number]

/** Sessions of help right now that began since an instant, the newest first. */
export function listSessions(db: Db, practitionerId: number, since: Date) {
  return db
    .selectFrom('help_dispatches')
    .innerJoin('appointments', 'appointments.id', 'help_dispatches.appointment_id')
    .innerJoin('accounts as client', 'client.id', 'appointments.client_id')
    .leftJoin('issues', 'issues.id', 'appointments.issue_id')
    .select([
      'appointments.id',
      'appointments.state',
      'appointments.starts_at',
      'appointments.ends_at',
      'appointments.fee_pence',
      'appointments.issue_id',
      'issues.name as issue_name',
      'client.first_name as client_first_name',
      'client.last_name as client_last_name',
      'help_dispatches.dialog_id',
    ])
    .select(
      sql<number>`(select coalesce(sum(r.amount_pence + r.discount_pence), 0)::int from refunds r
        join payment_intents i on i.id = r.payment_intent_id
        where i.appointment_id = appointments.id and ${oneOf('r.state', givenBack)})`.as('refunded_pence'),
    )
    .where('appointments.practitioner_id', '=', practitionerId)
    .where('help_dispatches.state', '=', 'accepted')
    .where('appointments.starts_at', '>=', since)
    .where('appointments.ends_at', 'is not', null)
    .$narrowType<{ starts_at: Date; ends_at: Date }>()
    .orderBy('appointments.starts_at', 'desc')
    .execute()
}

export async function insertOffer(tx: Tx, offer: NewRow<'help_offers', 'state'>): Promise<void> {
  await tx
    .insertInto('help_offers')
    .values({ ...offer, state: 'open' })
    .execute()
  await tx
    .updateTable('help_turns')
    .set({ asked_at: offer.asked_at })
    .where('practitioner_id', '=', offer.practitioner_id)
    .execute()
}

/** Ends the open request of a search, whose lock the caller holds. Returns the id of the practitioner asked, if any. */
export async function closeOffer(
  tx: Tx,
  appointmentId: string,
  to: Exclude<HelpRequestState, 'open'>,
  now: Date,
): Promise<number | undefined> {
  assertOfferStep('open', to)
  const row = await tx
    .updateTable('help_offers')
    .set({ state: to, settled_at: now })
    .where('appointment_id', '=', appointmentId)
    .where('state', '=', 'open')
    .returning('practitioner_id')
    .executeTakeFirst()
  return row?.practitioner_id
}

// A client's own --------------------------------------------------------------------------------------------------

/** Every search of a client, newest first. */
export function listSearchesOf(db: Db, clientId: string) {
  return dispatches(db)
    .where('help_dispatches.client_id', '=', clientId)
    .orderBy('help_dispatches.created_at', 'desc')
    .orderBy('help_dispatches.appointment_id')
    .execute()
}

/** Forgets the searches of a client, with the practitioners who were asked. */
export async function deleteSearchesOf(tx: Tx, clientId: string): Promise<void> {
  await tx.deleteFrom('help_dispatches').where('client_id', '=', clientId).execute()
}
