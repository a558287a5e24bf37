import { sql } from 'kysely'
import type { AppointmentState, BookingType } from '#contract/bookings/bookings.ts'
import type { AppointmentType } from '#contract/common.ts'
import { givenBack } from '#contract/money.ts'
import type { Db, Patch } from '../../db/connection.ts'
import { countRows } from '../../db/count-rows.ts'
import { oneOf } from '../../db/one-of.ts'
import { prepare, runPrepared } from '../../db/prepared.ts'
import { assertTransition } from './bookings.rules.ts'
import type { NoShowState } from './no-shows/no-shows.rules.ts'

type NewAppointment = {
  id: string
  client_id: string
  practitioner_id: number
  state: 'draft' | 'pending'
  service_id: number | null
  appointment_type: AppointmentType | null
  location_id: number | null
  reservation_id: string | null
  starts_at: Date | null
  ends_at: Date | null
  fee_pence: number
  discount_pence: number
  client_timezone: string | null
  created_at: Date
  /** The offer of the waitlist that it is made for. */
  offer_id?: string
  /** `schedule` by default. */
  booking_type?: BookingType
  issue_id?: number
}

/** An appointment, to be inserted. */
export const appointmentOf = (appointment: NewAppointment) => ({
  booking_type: 'schedule' as const,
  issue_id: null,
  offer_id: null,
  ...appointment,
})

export const insertAppointment = prepare((at: ReturnType<typeof appointmentOf>) => ({
  compile: (db: Db) =>
    db
      .insertInto('appointments')
      .values({
        id: at.id,
        client_id: at.client_id,
        practitioner_id: at.practitioner_id,
        booking_type: at.booking_type,
        state: at.state,
        service_id: at.service_id,
        appointment_type: at.appointment_type,
        location_id: at.location_id,
        issue_id: at.issue_id,
        offer_id: at.offer_id,
        reservation_id: at.reservation_id,
        starts_at: at.starts_at,
        ends_at: at.ends_at,
        fee_pence: at.fee_pence,
        discount_pence: at.discount_pence,
        client_timezone: at.client_timezone,
        created_at: at.created_at,
      })
      .compile(),
}))

export async function findBookingType(db: Db, id: string): Promise<BookingType | undefined> {
  const query = db.selectFrom('appointments').select('booking_type').where('id', '=', id)
  const [row] = await runPrepared(db, query)
  return row?.booking_type
}

export async function findState(db: Db, id: string): Promise<AppointmentState | undefined> {
  const query = db.selectFrom('appointments').select('state').where('id', '=', id)
  const [row] = await runPrepared(db, query)
  return row?.state
}

/** A page of a list; the first is 1. */
export type Page = { page: number; perPage: number }

/**
 * The amount owed to the practitioner for an appointment, in pence, as the ledger has it: payments plus the platform's
 * discounts, less refunds made or requested, less what lost disputes have taken off. The fee where there is no payment,
 * but nothing for a booked session whose capture was lost.
 */
export const owedPence = sql<number>`coalesce((select sum(i.amount_pence + i.discount_pence - back.pence - charged.pence)
  from payment_intents i,
    lateral (select coalesce(sum(r.amount_pence + r.discount_pence), 0) as pence from refunds r
      where r.payment_intent_id = i.id and ${oneOf('r.state', givenBack)}) back,
    lateral (select coalesce(sum(e.amount_pence), 0) as pence from
      (select id, payment_intent_id from disputes union all select id, payment_intent_id from refunds) d
      join ledger_transactions t on t.kind = 'dispute_charged' and t.source_id = d.id
      join ledger_entries e on e.transaction_id = t.id and e.account = 'practitioner_payable'
      where d.payment_intent_id = i.id) charged
  where i.appointment_id = appointments.id and i.state in ('capturing', 'captured')),
  case when appointments.state in ('confirmed', 'completed', 'no_show') and exists (select from payment_intents i
    where i.appointment_id = appointments.id) then 0 else appointments.fee_pence end)::int`

/** Columns of an appointment's no-show, null if none was ever declared. */
export const noShowColumns = [
  'no_shows.state as no_show_state',
  'no_shows.declared_at as no_show_declared_at',
  'no_shows.dispute_until as no_show_dispute_until',
  'no_shows.client_words as no_show_client_words',
] as const
export type NoShowColumns = { no_show_state: NoShowState | null }

/** Until when the client of a hold can pay. The time of an offer stays reserved a little longer. */
const deadline = sql<Date | null>`deadline_of(reservations.origin, reservations.hold_expires_at)`

const withHold = (db: Db) =>
  db
    .selectFrom('appointments')
    .leftJoin('reservations', 'reservations.id', 'appointments.reservation_id')
    .leftJoin('services', 'services.id', 'appointments.service_id')
    .leftJoin('no_shows', 'no_shows.appointment_id', 'appointments.id')
    .selectAll('appointments')
    .select([deadline.as('hold_expires_at'), 'services.name as service_name', ...noShowColumns])
    .$narrowType<NoShowColumns>()

export type AppointmentRow = NonNullable<Awaited<ReturnType<typeof findAppointment>>>

export function findAppointment(db: Db, id: string) {
  return withHold(db).where('appointments.id', '=', id).executeTakeFirst()
}

/** As `findAppointment`, and locks the appointment until the transaction ends. */
export async function lockAppointment(db: Db, id: string) {
  await db.selectFrom('appointments').select('id').where('id', '=', id).forUpdate().execute()
  return findAppointment(db, id)
}

/** The reservation of a client's own appointment, and the time that a series has for it. */
export function findOwnTime(db: Db, id: string, clientId: string) {
  return db
    .selectFrom('appointments')
    .select(['reservation_id', 'series_id', 'series_starts_at'])
    .where('id', '=', id)
    .where('client_id', '=', clientId)
    .executeTakeFirst()
}

/** Booked sessions of a client that have not ended, paid or not, soonest first. */
export function listUpcoming(db: Db, clientId: string, now: Date, limit: number) {
  return withHold(db)
    .where('appointments.client_id', '=', clientId)
    .where('appointments.state', 'in', ['reserved', 'confirmed'])
    .where('appointments.ends_at', '>', now)
    .orderBy('appointments.starts_at')
    .orderBy('appointments.id')
    .limit(limit)
    .execute()
}

/** Unpaid times that are held for a client, soonest first. Offers and help right now have pages of their own. */
export function listHeld(db: Db, clientId: string, now: Date) {
  return withHold(db)
    .where('appointments.client_id', '=', clientId)
    .where('appointments.state', '=', 'pending')
    .where('appointments.booking_type', '=', 'schedule')
    .where('appointments.offer_id', 'is', null)
    .where(deadline, '>', now)
    .orderBy('appointments.starts_at')
    .orderBy('appointments.id')
    .execute()
}

/** A time of a practitioner that a client wants. */
export type OwnTime = { practitionerId: number; clientId: string; startsAt: Date }

/** The id of the session that a client has booked with a practitioner at this start, paid or not. */
export async function findBookedAt(db: Db, wanted: OwnTime): Promise<string | undefined> {
  const query = db
    .selectFrom('appointments')
    .select('id')
    .where('client_id', '=', wanted.clientId)
    .where('practitioner_id', '=', wanted.practitionerId)
    .where('starts_at', '=', wanted.startsAt)
    .where('state', 'in', ['reserved', 'confirmed'])
  return (await query.executeTakeFirst())?.id
}

/** Whether a payment of the appointment was taken, refunded since or not. */
const wasPaid = sql<boolean>`exists (select 1 from payment_intents i
  where i.appointment_id = appointments.id and i.state in ('capturing', 'captured'))`

/**
 * Sessions that are over: held, missed, or cancelled after they had been booked. A date of a series that was given up
 * unpaid is none; one that the system cancelled shortly before its start counts until then, so that the client sees it.
 */
export const isOver = (now: Date) => sql<boolean>`(appointments.state in ('completed', 'no_show')
  or (appointments.state = 'cancelled' and appointments.first_booked_at is not null
    and (appointments.series_id is null or ${wasPaid} or (appointments.cancelled_by = 'system'
      and appointments.starts_at > ${now} and appointments.starts_at <= ${now}::timestamptz + interval '2 days')))
  or (appointments.state = 'confirmed' and appointments.ends_at <= ${now}))`

/** When a session ended, or when it was cancelled if that was earlier: its refund dates from then. */
export const overAt = sql<Date>`case when appointments.state = 'cancelled' then least(coalesce(
    (select max(r.created_at) from refunds r join payment_intents i on i.id = r.payment_intent_id
      where i.appointment_id = appointments.id), appointments.starts_at), appointments.ends_at)
  else appointments.ends_at end`

/** A page of a client's sessions that are over, the last to end or to be cancelled first. */
export function listPast(db: Db, clientId: string, now: Date, { page, perPage }: Page) {
  return withHold(db)
    .where('appointments.client_id', '=', clientId)
    .where(isOver(now))
    .orderBy(overAt, 'desc')
    .orderBy('appointments.id', 'desc')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute()
}

export async function countPast(db: Db, clientId: string, now: Date): Promise<number> {
  return countRows(db.selectFrom('appointments').where('client_id', '=', clientId).where(isOver(now)))
}

/** Drafts that the client has open. */
export async function countDrafts(db: Db, clientId: string): Promise<number> {
  return countRows(
    db.selectFrom('appointments').where('client_id', '=', clientId).where('state', '=', 'draft'),
  )
}

/** Whether the client has had a session or has booked a discounted one. `except` is ignored. */
export async function hasUsedDiscount(db: Db, clientId: string, except?: string): Promise<boolean> {
  let query = db
    .selectFrom('appointments')
    .select('id')
    .where('client_id', '=', clientId)
    .where('booking_type', '=', 'schedule')
    .where((eb) =>
      eb.or([
        eb('state', 'in', ['confirmed', 'completed', 'no_show']),
        eb.and([eb('discount_pence', '>', 0), eb('state', 'in', ['pending', 'reserved'])]),
      ]),
    )
  if (except) query = query.where('id', '<>', except)
  return (await query.executeTakeFirst()) !== undefined
}

/** The client's hold that has the discount, if any, other than `except`. */
export async function findDiscountHold(
  db: Db,
  clientId: string,
  except: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('appointments')
    .select('id')
    .where('client_id', '=', clientId)
    .where('booking_type', '=', 'schedule')
    .where('state', '=', 'pending')
    .where('discount_pence', '>', 0)
    .where('id', '<>', except)
    .executeTakeFirst()
  return row?.id
}

/** Whether a client and a practitioner have a session, or had one. */
export async function haveMet(db: Db, clientId: string, practitionerId: number): Promise<boolean> {
  const row = await db
    .selectFrom('appointments')
    .select('id')
    .where('client_id', '=', clientId)
    .where('practitioner_id', '=', practitionerId)
    .where('state', 'in', ['confirmed', 'completed', 'no_show'])
    .executeTakeFirst()
  return row !== undefined
}

/** What a change sets beside the state, which has its own life. */
type Terms = Omit<Patch<'appointments'>, 'id' | 'state'>

/** Moves an appointment along its life. The caller holds its lock. */
export async function changeState(
  db: Db,
  id: string,
  from: AppointmentState,
  to: AppointmentState,
  patch: Terms = {},
): Promise<void> {
  assertTransition(from, to)
  const { numUpdatedRows } = await db
    .updateTable('appointments')
    .set((eb) => ({ ...patch, state: to, sequence: eb('sequence', '+', 1) }))
    .where('id', '=', id)
    .where('state', '=', from)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new Error('An appointment was changed without its lock.')
}

/** Changes the terms of an appointment that keeps its state. */
export async function changeTerms(db: Db, id: string, patch: Terms): Promise<void> {
  await db
    .updateTable('appointments')
    .set((eb) => ({ ...patch, sequence: eb('sequence', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

export async function markHoldExtended(db: Db, id: string): Promise<void> {
  await db.updateTable('appointments').set({ hold_extended: true }).where('id', '=', id).execute()
}

/** Unpaid appointments that stood on these reservations. */
export async function pendingOn(db: Db, reservationIds: string[]): Promise<string[]> {
  if (reservationIds.length === 0) return []
  const rows = await db
    .selectFrom('appointments')
    .select('id')
    .where('reservation_id', 'in', reservationIds)
    .where('state', '=', 'pending')
    .orderBy('id')
    .execute()
  return rows.map((row) => row.id)
}

/** Holds that have run out, and drafts older than `draftsBefore`. */
export async function listExpired(db: Db, now: Date, draftsBefore: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select a.id from appointments a left join reservations r on r.id = a.reservation_id
    where a.state in ('draft', 'pending')
      and (r.state = 'released' or deadline_of(r.origin, r.hold_expires_at) <= ${now} or (a.state = 'draft' and a.created_at <= ${draftsBefore}))
    order by a.created_at limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

/** Drafts whose payment has waited since before `before`. */
export async function listPaidDrafts(db: Db, before: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select a.id from appointments a join payment_intents i on i.appointment_id = a.id
    where a.state = 'draft' and i.state in ('authorised', 'requires_action') and i.created_at <= ${before}
    order by i.created_at limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

/** Sessions that ended before a time and have no recorded outcome. */
export async function listEnded(db: Db, before: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('appointments')
    .select('id')
    .where('state', '=', 'confirmed')
    .where('frozen_at', 'is', null)
    .where('ends_at', '<=', before)
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}

/** Whether a client has a confirmed face-to-face session with a practitioner. */
export async function meetsInPerson(db: Db, clientId: string, practitionerId: number): Promise<boolean> {
  const row = await db
    .selectFrom('appointments')
    .select('id')
    .where('client_id', '=', clientId)
    .where('practitioner_id', '=', practitionerId)
    .where('appointment_type', '=', 'face_to_face')
    .where('state', '=', 'confirmed')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Clients with a confirmed session with a practitioner that starts in a range, with its id. */
export async function listClientsBooked(
  db: Db,
  practitionerId: number,
  { from, to }: { from: Date; to: Date },
): Promise<{ id: string; client_id: string }[]> {
  return db
    .selectFrom('appointments')
    .select(['id', 'client_id'])
    .where('practitioner_id', '=', practitionerId)
    .where('state', '=', 'confirmed')
    .where('starts_at', '>=', from)
    .where('starts_at', '<', to)
    .execute()
}
