import { sql } from 'kysely'
import type { EveryWeeks, SeriesState } from '#contract/series/series.ts'
import type { Db, NewRow, Patch, Tx } from '../../db/connection.ts'
import { runPrepared } from '../../db/prepared.ts'
import { assertTransition, type Side } from './series.rules.ts'

/** Returns false if the two have a live series at this hour. */
export async function insertSeries(tx: Tx, series: NewRow<'session_series'>): Promise<boolean> {
  const row = await tx
    .insertInto('session_series')
    .values(series)
    .onConflict((conflict) =>
      conflict
        .columns(['client_id', 'practitioner_id', 'weekday', 'start_minute'])
        // The index's own words: a value of its own would be unknown to a plan that is kept.
        .where('state', '<>', sql.lit('ended'))
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

const series = (db: Db) =>
  db
    .selectFrom('session_series')
    .innerJoin('practitioners', 'practitioners.id', 'session_series.practitioner_id')
    .innerJoin('services', 'services.id', 'session_series.service_id')
    .innerJoin('accounts as client', 'client.id', 'session_series.client_id')
    .selectAll('session_series')
    .select([
      'practitioners.account_id as practitioner_account_id',
      'practitioners.state as practitioner_state',
      'practitioners.vetted_until as practitioner_vetted_until',
      'practitioners.series_rule',
      'practitioners.timezone as practitioner_timezone',
      'services.name as service_name',
      'client.first_name as client_first_name',
      'client.last_name as client_last_name',
    ])
    .$narrowType<{ every_weeks: EveryWeeks }>()

export type SeriesRow = NonNullable<Awaited<ReturnType<typeof findSeries>>>
export type EndCause = NonNullable<SeriesRow['end_cause']>

export function findSeries(db: Db, id: string) {
  return series(db).where('session_series.id', '=', id).executeTakeFirst()
}

/** What the hour of a series was agreed as. */
export function findAgreedHour(db: Db, id: string) {
  return db
    .selectFrom('session_series')
    .select([
      'appointment_type as appointmentType',
      'location_id as locationId',
      'duration_minutes as durationMinutes',
    ])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** A series and those in whose place it came: their sessions before its first day go with it. */
export async function listLine(db: Db, id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive line as (
      select ${id}::uuid as id
      union select s.id from session_series s join line on s.continued_by = line.id
    ) select id from line`.execute(db)
  return rows.map((row) => row.id)
}

/** As `findSeries`, and locks the series until the transaction ends. */
export function lockSeries(tx: Tx, id: string): Promise<SeriesRow | undefined> {
  return series(tx).where('session_series.id', '=', id).forUpdate('session_series').executeTakeFirst()
}

/**
 * As `lockSeries`, for what books times: the practitioner's rules are kept from being changed first. A suspension locks
 * them before the series that it pauses.
 */
export async function lockToBook(tx: Tx, id: string): Promise<SeriesRow | undefined> {
  const rules = tx
    .selectFrom('practitioners')
    .innerJoin('session_series', 'session_series.practitioner_id', 'practitioners.id')
    .select('practitioners.id')
    .where('session_series.id', '=', id)
    .forShare('practitioners')
  await runPrepared(tx, rules)
  return lockSeries(tx, id)
}

/** A session that a series is asked for from. */
export function findSession(db: Db, id: string) {
  return db
    .selectFrom('appointments')
    .innerJoin('practitioners', 'practitioners.id', 'appointments.practitioner_id')
    .innerJoin('accounts as client', 'client.id', 'appointments.client_id')
    .select([
      'appointments.client_id',
      'appointments.practitioner_id',
      'appointments.service_id',
      'appointments.appointment_type',
      'appointments.location_id',
      'appointments.starts_at',
      'appointments.state',
      'appointments.first_booked_at',
      'practitioners.account_id as practitioner_account_id',
      'client.first_name as client_first_name',
      'client.last_name as client_last_name',
      'client.deleted_at as client_deleted_at',
    ])
    .where('appointments.id', '=', id)
    .executeTakeFirst()
}

/** The live series of the two at an hour. */
export async function findLive(
  db: Db,
  at: { clientId: string; practitionerId: number; weekday: number; startMinute: number },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('session_series')
    .select('id')
    .where('client_id', '=', at.clientId)
    .where('practitioner_id', '=', at.practitionerId)
    .where('weekday', '=', at.weekday)
    .where('start_minute', '=', at.startMinute)
    .where('state', '<>', 'ended')
    .executeTakeFirst()
  return row?.id
}

/** Series of a client or a practitioner that are live, or ended since a time: live ones first. */
export function listSeries(
  db: Db,
  of: { clientId: string } | { practitionerId: number },
  endedSince: Date,
  limit: number,
) {
  const query =
    'clientId' in of
      ? series(db).where('session_series.client_id', '=', of.clientId)
      : series(db).where('session_series.practitioner_id', '=', of.practitionerId)
  return query
    .where((eb) =>
      eb.or([eb('session_series.state', '<>', 'ended'), eb('session_series.ended_at', '>=', endedSince)]),
    )
    .orderBy(sql`session_series.state = 'ended'`)
    .orderBy('session_series.created_at', 'desc')
    .orderBy('session_series.id')
    .limit(limit)
    .execute()
}

/** What a change sets beside the state, which has its own life. */
type SeriesPatch = Omit<Patch<'session_series'>, 'id' | 'state'>

/** Moves a series along its life. The caller holds its lock. */
export async function changeState(
  tx: Tx,
  id: string,
  { from, to, by }: { from: SeriesState; to: SeriesState; by: Side },
  patch: SeriesPatch = {},
): Promise<void> {
  assertTransition(from, to, by)
  const { numUpdatedRows } = await tx
    .updateTable('session_series')
    .set({ ...(to === 'paused' ? {} : { paused_cause: null, paused_until: null }), ...patch, state: to })
    .where('id', '=', id)
    .where('state', '=', from)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new Error('A series was changed without its lock.')
}

/** Changes a series that keeps its state. */
export async function changeSeries(tx: Tx, id: string, patch: SeriesPatch): Promise<void> {
  const query = tx.updateTable('session_series').set(patch).where('id', '=', id)
  await runPrepared(tx, query)
}

// Sweep -------------------------------------------------------------------------------------------------------------

/** Active series that may lack a date up to a day: those whose rhythm has one after the last that was made. */
export async function listToExtend(
  db: Db,
  until: string,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from session_series
    where state = 'active' and (${after}::uuid is null or id > ${after}::uuid)
      and coalesce(extended_to + every_weeks * 7, first_on) <= least(${until}::date, coalesce(last_on, 'infinity'::date))
    order by id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Series with a deadline that has passed: proposals, pauses, prices without an answer, and last days. */
export async function listDue(db: Db, now: Date, today: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select s.id from session_series s
    where (s.state = 'proposed' and s.proposed_until <= ${now})
      or (s.state = 'paused' and s.paused_until <= ${now})
      or (s.state in ('active', 'paused') and s.last_on < ${today}::date)
      or (s.state in ('active', 'paused') and exists (select from series_price_changes c where c.series_id = s.id
        and ((c.answer is null and c.answer_by <= ${now})
          or (c.answer = 'accepted' and c.applied_at is null and c.from_date <= ${today}::date))))
    order by s.id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Active series of practitioners, by practitioner, to compare with who is listed. */
export async function listActivePractitioners(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('session_series')
    .select('practitioner_id')
    .where('state', '=', 'active')
    .distinct()
    .execute()
  return rows.map((row) => row.practitioner_id)
}

/** Active series of a practitioner that have yet to follow whether they are listed. */
export async function listUnfollowed(db: Db, practitionerId: number, isListed: boolean): Promise<string[]> {
  let query = db
    .selectFrom('session_series')
    .select('id')
    .where('practitioner_id', '=', practitionerId)
    .where('state', '=', 'active')
  if (isListed) query = query.where('unlisted_noted_at', 'is not', null)
  return (await query.orderBy('id').execute()).map((row) => row.id)
}

/** Series whose practitioner has a new zone and whose people were not notified of it; of one practitioner or of all. */
export async function listZoneChanged(db: Db, practitionerId?: number): Promise<string[]> {
  let query = db
    .selectFrom('session_series as s')
    .innerJoin('practitioners as p', 'p.id', 's.practitioner_id')
    .select('s.id')
    .where('s.state', 'in', ['active', 'paused'])
    .whereRef('p.timezone', '<>', 's.timezone')
    .where('s.zone_noted', 'is distinct from', (eb) => eb.ref('p.timezone'))
  if (practitionerId !== undefined) query = query.where('s.practitioner_id', '=', practitionerId)
  return (await query.orderBy('s.id').execute()).map((row) => row.id)
}

/** Ids of a practitioner's series in some states. */
export async function listOfPractitioner(
  db: Db,
  practitionerId: number,
  states: readonly SeriesState[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('session_series')
    .select('id')
    .where('practitioner_id', '=', practitionerId)
    .where('state', 'in', [...states])
    .orderBy('id')
    .execute()
  return rows.map((row) => row.id)
}

/** Whether a live series of a practitioner takes place at one of the places. */
export async function usesPlace(db: Db, practitionerId: number, locationIds: number[]): Promise<boolean> {
  const row = await db
    .selectFrom('session_series')
    .select('id')
    .where('practitioner_id', '=', practitionerId)
    .where('location_id', 'in', locationIds)
    .where('state', '<>', 'ended')
    .executeTakeFirst()
  return row !== undefined
}

/** Sessions of a practitioner's series that are booked and lie in a range, or are among those that are named. */
export function listWithin(
  db: Db,
  practitionerId: number,
  { from, to }: { from: Date; to: Date },
  named: readonly string[] = [],
) {
  return db
    .selectFrom('appointments')
    .innerJoin('series_dates', 'series_dates.appointment_id', 'appointments.id')
    .innerJoin('services', 'services.id', 'appointments.service_id')
    .innerJoin('accounts as client', 'client.id', 'appointments.client_id')
    .select([
      'appointments.id',
      'series_dates.series_id',
      'series_dates.on_date',
      'appointments.starts_at',
      'appointments.ends_at',
      'appointments.state',
      'appointments.fee_pence',
      'appointments.discount_pence',
      'services.name as service_name',
      'client.first_name',
      'client.last_name',
    ])
    .$narrowType<{ starts_at: Date; ends_at: Date; series_id: string }>()
    .where('appointments.practitioner_id', '=', practitionerId)
    .where('appointments.state', 'in', ['reserved', 'confirmed'])
    .where((eb) => {
      const isWithin = eb.and([eb('appointments.starts_at', '<', to), eb('appointments.ends_at', '>', from)])
      return named.length === 0 ? isWithin : eb.or([isWithin, eb('appointments.id', 'in', named)])
    })
    .orderBy('appointments.starts_at')
    .orderBy('appointments.id')
    .execute()
}

// Personal data -----------------------------------------------------------------------------------------------------

export function listOfClient(db: Db, clientId: string) {
  return series(db).where('session_series.client_id', '=', clientId).orderBy('session_series.id').execute()
}

export function listAllDates(db: Db, seriesIds: string[]) {
  return db
    .selectFrom('series_dates')
    .selectAll()
    .where('series_id', 'in', seriesIds)
    .orderBy('series_id')
    .orderBy('on_date')
    .execute()
}

export function listAllPriceChanges(db: Db, seriesIds: string[]) {
  return db
    .selectFrom('series_price_changes')
    .selectAll()
    .where('series_id', 'in', seriesIds)
    .orderBy('asked_at')
    .execute()
}

export async function deleteSeriesOf(tx: Tx, clientId: string): Promise<void> {
  await tx.deleteFrom('session_series').where('client_id', '=', clientId).execute()
}

const rhythms = (db: Db) =>
  db
    .selectFrom('session_series')
    .select([
      'session_series.id',
      'session_series.state',
      'session_series.weekday',
      'session_series.start_minute',
      'session_series.every_weeks',
      'session_series.duration_minutes',
      'session_series.timezone',
    ])
    .$narrowType<{ every_weeks: EveryWeeks }>()

/** The series of appointments that belong to one. */
export function listOfSessions(db: Db, appointmentIds: readonly string[]) {
  return rhythms(db)
    .innerJoin('appointments', 'appointments.series_id', 'session_series.id')
    .select('appointments.id as appointment_id')
    .where('appointments.id', 'in', appointmentIds)
    .execute()
}

/** Agreed series of two people that have not ended, oldest first. */
export function listBetween(db: Db, pair: { clientId: string; practitionerId: number }) {
  return rhythms(db)
    .where('client_id', '=', pair.clientId)
    .where('practitioner_id', '=', pair.practitionerId)
    .where('state', 'in', ['active', 'paused'])
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}
