import { sql } from 'kysely'
import type { AppointmentType } from '#contract/common.ts'
import type { Db, Tx } from '../../../db/connection.ts'
import { payment, reportedAhead } from './reserved.rules.ts'
import { prepare, runPrepared } from '../../../db/prepared.ts'

/** The live session of a series at a time. */
export async function findOfSeries(db: Db, seriesId: string, startsAt: Date): Promise<string | undefined> {
  const query = db
    .selectFrom('appointments')
    .select('id')
    .where('series_id', '=', seriesId)
    .where('starts_at', '=', startsAt)
    .where('state', 'not in', ['cancelled', 'expired'])
  const [row] = await runPrepared(db, query)
  return row?.id
}

/** The earliest reserved session of a series. */
export async function findFirstOfSeries(db: Db, seriesId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('appointments')
    .select('id')
    .where('series_id', '=', seriesId)
    .where('state', '=', 'reserved')
    .orderBy('starts_at')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

type NewReserved = {
  id: string
  series_id: string
  client_id: string
  practitioner_id: number
  service_id: number
  appointment_type: AppointmentType
  location_id: number | null
  reservation_id: string
  payment_method_id: string | null
  starts_at: Date
  ends_at: Date
  fee_pence: number
  /** The clocks of the series, for a client whose own are not known. */
  timezone: string
  pay_at: Date
  pay_by: Date
  now: Date
}

/** The clocks by which a client made their last booking, for example while abroad; else those given. */
const zoneOf = (clientId: string, timezone: string) => sql<string>`
  coalesce((select client_timezone from appointments where client_id = ${clientId}::uuid and client_timezone is not null
    and series_starts_at is null order by created_at desc limit 1), ${timezone}::text)`

export async function insertReserved(tx: Tx, { now, timezone, ...appointment }: NewReserved): Promise<void> {
  await runPrepared(
    tx,
    tx.insertInto('appointments').values({
      ...appointment,
      client_timezone: zoneOf(appointment.client_id, timezone),
      booking_type: 'schedule',
      state: 'reserved',
      discount_pence: 0,
      charge_at: appointment.pay_at,
      series_starts_at: appointment.starts_at,
      first_booked_at: now,
      created_at: now,
    }),
  )
}

/** Inserts several reserved sessions of a series. They differ in their times, prices and payments. */
export const insertAllReserved = prepare(
  (all: {
    ids: string[]
    reservations: string[]
    starts: Date[]
    ends: Date[]
    fees: number[]
    payAt: Date[]
    payBy: Date[]
    seriesId: string
    clientId: string
    practitionerId: number
    serviceId: number
    appointmentType: AppointmentType
    locationId: number | null
    methodId: string | null
    timezone: string
    now: Date
  }) => sql<{ id: string }>`
    insert into appointments (id, reservation_id, starts_at, ends_at, series_starts_at, fee_pence, pay_at, charge_at, pay_by,
      series_id, client_id, practitioner_id, service_id, appointment_type, location_id, payment_method_id,
      client_timezone, booking_type, state, discount_pence, first_booked_at, created_at)
    select id, reservation, starts_at, ends_at, starts_at, fee, pay_at, pay_at, pay_by,
      ${all.seriesId}::uuid, ${all.clientId}::uuid, ${all.practitionerId}::int, ${all.serviceId}::int,
      ${all.appointmentType}::text, ${all.locationId}::int, ${all.methodId}::uuid,
      ${zoneOf(all.clientId, all.timezone)}, 'schedule', 'reserved', 0, ${all.now}::timestamptz, ${all.now}::timestamptz
    from unnest(${all.ids}::uuid[], ${all.reservations}::uuid[], ${all.starts}::timestamptz[], ${all.ends}::timestamptz[],
      ${all.fees}::int[], ${all.payAt}::timestamptz[], ${all.payBy}::timestamptz[])
      wanted (id, reservation, starts_at, ends_at, fee, pay_at, pay_by)`,
)

/** Whether reserved sessions are to be charged to a card. */
export async function isCardAgreed(db: Db, methodId: string): Promise<boolean> {
  const row = await db
    .selectFrom('appointments')
    .select('id')
    .where('payment_method_id', '=', methodId)
    .where('state', '=', 'reserved')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Has the reserved sessions of some series paid with another card, or with none. */
export async function setCard(tx: Tx, seriesIds: readonly string[], methodId: string | null): Promise<void> {
  await tx
    .updateTable('appointments')
    .set({ payment_method_id: methodId })
    .where('series_id', 'in', seriesIds)
    .where('state', '=', 'reserved')
    .execute()
}

/** Changes the price of a reserved session; `discountPence` is of the new price, for one that has the discount. */
export async function setFee(
  tx: Tx,
  id: string,
  { feePence, discountPence }: { feePence: number; discountPence: number },
): Promise<void> {
  await tx
    .updateTable('appointments')
    .set({
      fee_pence: feePence,
      discount_pence: sql<number>`case when discount_pence > 0 then ${discountPence}::int else 0 end`,
    })
    .where('id', '=', id)
    .where('state', '=', 'reserved')
    .execute()
}

/** Reserved sessions whose charge or whose deadline is due, soonest first. */
export async function listDue(db: Db, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from appointments
    where state = 'reserved' and frozen_at is null and (charge_at <= ${now} or pay_by <= ${now})
    order by starts_at, id limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

/** Reserved sessions whose payment on the page was authorised by an instant and whose capture did not begin. */
export async function listAuthorised(db: Db, before: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select a.id from payment_intents i join appointments a on a.id = i.appointment_id
    where i.state = 'authorised' and i.purpose = 'booking' and i.on_session and i.updated_at <= ${before}
      and a.state = 'reserved' and a.frozen_at is null
    order by a.starts_at limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

/** Whether a card, `m`, can no longer be charged when a session, `a`, is to be paid. */
const isUnchargeable = sql<boolean>`(m.removed_at is not null
  or a.charge_at >= (make_date(m.expiry_year, m.expiry_month, 1) + interval '1 month') at time zone 'UTC')`

/**
 * Reserved sessions that are charged within a day and whose charge was not announced for their present time. For those
 * that were reserved within that day the mail about the agreement did.
 */
export async function listToAnnounce(db: Db, now: Date, limit: number): Promise<string[]> {
  const by = new Date(now.getTime() + payment.announced)
  const { rows } = await sql<{ id: string }>`
    select a.id from appointments a join payment_methods m on m.id = a.payment_method_id
    where a.state = 'reserved' and a.frozen_at is null and a.charge_at = a.pay_at and not ${isUnchargeable}
      and a.charge_at <= ${by} and a.charge_at > ${now}
      and a.first_booked_at <= a.pay_at - make_interval(secs => ${payment.announced / 1000})
      and not exists (select from outgoing_mails o where o.subject_type = 'appointment' and o.subject_id = a.id::text
        and o.template = 'session.charge_ahead' and o.sequence = a.sequence)
    order by a.charge_at, a.id limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

/** The next reserved session of each series that is charged within ten days to a card that cannot be charged then. */
export async function listUnchargeable(db: Db, now: Date, limit: number): Promise<string[]> {
  const by = new Date(now.getTime() + reportedAhead)
  const { rows } = await sql<{ id: string }>`
    select distinct on (a.series_id) a.id
    from appointments a join payment_methods m on m.id = a.payment_method_id
    where a.state = 'reserved' and a.frozen_at is null and a.charge_at > ${now} and a.charge_at <= ${by}
      and ${isUnchargeable}
      and not exists (select from outgoing_mails o
        where o.dedupe_key = 'card of series ' || a.series_id || ' ' || a.payment_method_id)
    order by a.series_id, a.charge_at limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}
