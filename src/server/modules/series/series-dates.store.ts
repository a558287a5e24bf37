import { sql } from 'kysely'
import { givenBack } from '#contract/money.ts'
import type { ConflictCause } from '#contract/series/series.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { oneOf } from '../../db/one-of.ts'
import { prepare, runPrepared } from '../../db/prepared.ts'
import type { DateState, Outcome, Side } from './series.rules.ts'

const paymentUnderWay = sql<boolean>`exists (select from payment_intents i where i.appointment_id = appointments.id
  and i.state in ('authorising', 'authorised', 'capturing'))`
const isRefunded = sql<boolean>`exists (select from payment_intents i join refunds r on r.payment_intent_id = i.id
  where i.appointment_id = appointments.id and ${oneOf('r.state', givenBack)})`

const dates = (db: Db) =>
  db
    .selectFrom('series_dates')
    .leftJoin('appointments', 'appointments.id', 'series_dates.appointment_id')
    .selectAll('series_dates')
    .select([
      'appointments.state as session_state',
      'appointments.starts_at',
      'appointments.ends_at',
      'appointments.fee_pence as session_fee_pence',
      'appointments.discount_pence as session_discount_pence',
      'appointments.pay_at',
      'appointments.pay_by',
      'appointments.charge_at',
      'appointments.pay_failures',
      'appointments.cancel_code',
      'appointments.frozen_at',
      'appointments.payment_method_id',
      paymentUnderWay.as('is_paying'),
      isRefunded.as('is_refunded'),
    ])

export type DateRow = Awaited<ReturnType<typeof listDates>>[number]

/** The dates of a series from a day on, and those whose session was moved to it or after it. */
export function listDates(db: Db, seriesId: string, from: string, now: Date) {
  return dates(db)
    .where('series_dates.series_id', '=', seriesId)
    .where((eb) => eb.or([eb('series_dates.on_date', '>=', from), eb('appointments.ends_at', '>', now)]))
    .orderBy('series_dates.on_date')
    .execute()
}

export function findDate(db: Db, seriesId: string, onDate: string): Promise<DateRow | undefined> {
  return dates(db)
    .where('series_dates.series_id', '=', seriesId)
    .where('series_dates.on_date', '=', onDate)
    .executeTakeFirst()
}

/** The date that a session stands for. */
export async function findDateOf(db: Db, appointmentId: string) {
  const [row] = await runPrepared(
    db,
    db
      .selectFrom('series_dates')
      .innerJoin('appointments', 'appointments.id', 'series_dates.appointment_id')
      .innerJoin('session_series', 'session_series.id', 'series_dates.series_id')
      .innerJoin('practitioners', 'practitioners.id', 'session_series.practitioner_id')
      .select([
        'series_dates.series_id',
        'series_dates.on_date',
        'series_dates.state',
        'series_dates.changed_by',
        'appointments.state as session_state',
        'appointments.starts_at',
        'appointments.cancelled_by',
        'appointments.cancel_code',
        'appointments.pay_failures',
        'session_series.client_id',
        'session_series.state as series_state',
        'session_series.paused_cause',
        'session_series.timezone',
        'session_series.start_minute',
        'practitioners.account_id as practitioner_account_id',
      ])
      .where('series_dates.appointment_id', '=', appointmentId),
  )
  return row
}

export type DatePatch = {
  state: DateState
  appointmentId?: string | null
  conflictCause?: ConflictCause
  by: Side
  at: Date
}

/** Inserts a date or replaces what it is. */
export async function saveDate(tx: Tx, seriesId: string, onDate: string, patch: DatePatch): Promise<void> {
  const row = {
    state: patch.state,
    appointment_id: patch.appointmentId ?? null,
    conflict_cause: patch.conflictCause ?? null,
    changed_by: patch.by,
    changed_at: patch.at,
  }
  await runPrepared(
    tx,
    tx
      .insertInto('series_dates')
      .values({ series_id: seriesId, on_date: onDate, ...row })
      .onConflict((conflict) => conflict.columns(['series_id', 'on_date']).doUpdateSet(row)),
  )
}

/** Changes the state of a date whose session stays. */
export async function setDateState(
  tx: Tx,
  seriesId: string,
  onDate: string,
  { state, by, at }: { state: DateState; by: Side; at: Date },
): Promise<void> {
  await tx
    .updateTable('series_dates')
    .set({ state, changed_by: by, changed_at: at })
    .where('series_id', '=', seriesId)
    .where('on_date', '=', onDate)
    .execute()
}

export async function deleteDate(tx: Tx, seriesId: string, onDate: string): Promise<void> {
  await tx
    .deleteFrom('series_dates')
    .where('series_id', '=', seriesId)
    .where('on_date', '=', onDate)
    .execute()
}

/**
 * Deletes the dates ahead whose sessions were cancelled for a suspension or lapse, so that they are made again. Returns the first of
 * them.
 */
export async function deleteSuspended(
  tx: Tx,
  seriesId: string,
  { now, today }: { now: Date; today: string },
): Promise<string | undefined> {
  const deleted = await tx
    .deleteFrom('series_dates')
    .using('appointments')
    .whereRef('appointments.id', '=', 'series_dates.appointment_id')
    .where('series_dates.series_id', '=', seriesId)
    .where('series_dates.on_date', '>=', today)
    .where('series_dates.state', '=', 'released')
    .where('appointments.cancel_code', 'in', ['practitioner_suspended', 'vetting_lapsed'])
    .where('appointments.starts_at', '>', now)
    .returning('series_dates.on_date')
    .execute()
  return deleted.map(({ on_date }) => on_date).sort()[0]
}

/** Inserts or replaces a date with its session. Returns false if the session stands for another date. */
export async function linkDate(
  tx: Tx,
  seriesId: string,
  onDate: string,
  { state, appointmentId, by, at }: { state: 'planned' | 'moved'; appointmentId: string; by: Side; at: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into series_dates (series_id, on_date, appointment_id, state, changed_by, changed_at)
    select ${seriesId}::uuid, ${onDate}::date, ${appointmentId}::uuid, ${state}, ${by}, ${at}::timestamptz
    where not exists (select from series_dates d where d.appointment_id = ${appointmentId}::uuid
      and (d.series_id <> ${seriesId}::uuid or d.on_date <> ${onDate}::date))
    on conflict (series_id, on_date) do update set appointment_id = excluded.appointment_id, state = excluded.state,
      conflict_cause = null, changed_by = excluded.changed_by, changed_at = excluded.changed_at
    returning on_date`.execute(tx)
  return rows.length > 0
}

/** Inserts dates with their sessions, none of which was made or decided on before. */
export const insertPlanned = prepare(
  (made: { seriesId: string; dates: string[]; appointments: string[]; by: Side; at: Date }) => sql`
    insert into series_dates (series_id, on_date, appointment_id, state, changed_by, changed_at)
    select ${made.seriesId}::uuid, on_date, appointment_id, 'planned', ${made.by}::text, ${made.at}::timestamptz
    from unnest(${made.dates}::date[], ${made.appointments}::uuid[]) made (on_date, appointment_id)`,
)

/** The dates from a day on that were made or decided on. */
export async function listKnown(db: Db, seriesId: string, from: string): Promise<Set<string>> {
  const query = db
    .selectFrom('series_dates')
    .select('on_date')
    .where('series_id', '=', seriesId)
    .where('on_date', '>=', from)
  return new Set((await runPrepared(db, query)).map((row) => row.on_date))
}

/** Whether a date was made or decided on. */
export async function isKnown(db: Db, seriesId: string, onDate: string): Promise<boolean> {
  const query = db
    .selectFrom('series_dates')
    .select('state')
    .where('series_id', '=', seriesId)
    .where('on_date', '=', onDate)
  return (await runPrepared(db, query)).length > 0
}

/** Sessions of one or several series that are booked and have not ended, from a day of the rhythm on, soonest first. */
export async function listLive(db: Db, series: string | readonly string[], now: Date, from?: string) {
  let query = db
    .selectFrom('series_dates')
    .innerJoin('appointments', 'appointments.id', 'series_dates.appointment_id')
    .select([
      'appointments.id',
      'appointments.reservation_id',
      'series_dates.on_date',
      'series_dates.state as date_state',
      'appointments.state',
      'appointments.service_id',
      'appointments.appointment_type',
      'appointments.starts_at',
      'appointments.pay_at',
      'appointments.pay_by',
      'appointments.fee_pence',
      'appointments.frozen_at',
    ])
    .$narrowType<{ starts_at: Date }>()
    .where('series_dates.series_id', 'in', [series].flat())
    .where('appointments.state', 'in', ['reserved', 'confirmed'])
    .where('appointments.ends_at', '>', now)
  if (from !== undefined) query = query.where('series_dates.on_date', '>=', from)
  return query.orderBy('appointments.starts_at').orderBy('appointments.id').execute()
}

/** The next unpaid one of the live sessions of a series, with what decides how long a paused series waits for it. */
export function nextUnpaid(live: Awaited<ReturnType<typeof listLive>>) {
  const next = live.find(({ state }) => state === 'reserved')
  return next && { ...next, isMoved: next.date_state === 'moved', isFrozen: next.frozen_at !== null }
}

/** Whether a cancelled session counts as not paid: the system's deadline, or the client's skip after a declined charge. */
const isUnpaid = sql`(a.cancel_code = 'unpaid' or a.pay_failures > 0 and a.cancelled_by = 'client')`

/** The outcomes of the latest dates of a series that have one, newest first. What the practitioner cancelled is none. */
export async function listOutcomes(db: Db, seriesId: string, limit: number): Promise<Outcome[]> {
  const { rows } = await sql<{ outcome: Outcome }>`
    select case when a.state in ('confirmed', 'completed', 'no_show') then 'paid'
        when ${isUnpaid} then 'unpaid' else 'other' end as outcome
    from series_dates d join appointments a on a.id = d.appointment_id
    where d.series_id = ${seriesId} and a.state in ('confirmed', 'completed', 'no_show', 'cancelled')
      and (a.state <> 'cancelled' or ${isUnpaid})
    order by d.on_date desc limit ${limit}`.execute(db)
  return rows.map(({ outcome }) => outcome)
}

/** Releases the dates from a day on that could not be had: the series ends, and has none there. */
export async function releaseDates(
  tx: Tx,
  seriesId: string,
  from: string,
  { by, at }: { by: Side; at: Date },
): Promise<void> {
  await tx
    .updateTable('series_dates')
    .set({ state: 'released', conflict_cause: null, changed_by: by, changed_at: at })
    .where('series_id', '=', seriesId)
    .where('on_date', '>=', from)
    .where('state', '=', 'conflict')
    .execute()
}
