import { type RawBuilder, sql } from 'kysely'
import type { AppointmentType } from '#contract/common.ts'
import type { Db } from '../../db/connection.ts'
import { runPrepared } from '../../db/prepared.ts'
import type { Busy, WeeklyHour } from './availability.rules.ts'

/** Whether a practitioner has scheduled hours. */
export async function hasSchedule(db: Db, practitionerId: number): Promise<boolean> {
  const hour = await db
    .selectFrom('weekly_hours')
    .select('hour')
    .where('practitioner_id', '=', practitionerId)
    .limit(1)
    .executeTakeFirst()
  return hour !== undefined
}

/** Busy time; for a hold, with its expiry. Epoch milliseconds. */
export type Taken = Busy & { reservationId: string | null; holdExpiresAt: number | null }

/** A practitioner's scheduled hours and busy times. */
export type Calendar = { schedule: WeeklyHour[]; taken: Taken[] }

type Range = { from: number; to: number }

type CalendarRow = {
  id: number
  hours: [weekday: number, hour: number, type: AppointmentType, locationId: number | null][]
  taken: [from: number, to: number, reservationId: string | null, holdExpiresAt: number | null][]
}

const epoch = (instant: RawBuilder<unknown>) => sql`(extract(epoch from ${instant}) * 1000)::bigint`

/**
 * Reads the schedules of practitioners and their busy times in a range: live reservations with their pauses, time off
 * and times of connected calendars. Leaves out holds that have expired by `now`, which block no booking, and holds of
 * the client `exceptHoldsOf`. Returns one row with lists per practitioner, far faster than a row per hour.
 */
export async function readCalendars(
  db: Db,
  practitionerIds: number[],
  range: Range,
  now: Date,
  exceptHoldsOf: string | null = null,
): Promise<Map<number, Calendar>> {
  const during = sql`tstzrange(${new Date(range.from)}::timestamptz, ${new Date(range.to)}::timestamptz)`
  const rows = await runPrepared(
    db,
    sql<CalendarRow>`
      select p.id,
        coalesce((select json_agg(json_build_array(weekday, hour, appointment_type, location_id))
          from weekly_hours where practitioner_id = p.id), '[]'::json) as hours,
        coalesce((select json_agg(json_build_array(
            ${epoch(sql`lower(during)`)}, ${epoch(sql`upper(during)`)}, reservation_id, ${epoch(sql`hold_expires_at`)}))
          from (
            select during, id as reservation_id, hold_expires_at from reservations
            where practitioner_id = p.id and state <> 'released' and blocked && ${during}
              and (hold_expires_at is null or hold_expires_at > ${now})
              and (state <> 'held' or client_id is distinct from ${exceptHoldsOf}::uuid)
            union all
            select during, null, null from time_off where practitioner_id = p.id and during && ${during}
            union all
            select during, null, null from busy_elsewhere where practitioner_id = p.id and during && ${during}
          ) busy), '[]'::json) as taken
      from unnest(${practitionerIds}::int[]) as p(id)`,
  )
  return new Map(
    rows.map(({ id, hours, taken }) => [
      id,
      {
        schedule: hours.map(([weekday, hour, appointment_type, location_id]) => ({
          weekday,
          hour,
          appointment_type,
          location_id,
        })),
        taken: taken.map(([from, to, reservationId, holdExpiresAt]) => ({
          from,
          to,
          reservationId,
          holdExpiresAt,
        })),
      },
    ]),
  )
}

type Reservation = {
  id: string
  practitioner_id: number
  client_id: string
  startsAt: Date
  endsAt: Date
  /** Kept free after it. */
  pause_minutes: number
  /** Null for a reservation without a hold. */
  hold_expires_at: Date | null
  created_at: Date
}

const range = (startsAt: Date, endsAt: Date) =>
  sql<string>`tstzrange(${startsAt}::timestamptz, ${endsAt}::timestamptz)`

/** The range that a session blocks: itself and the pause after it. */
const blockedBy = ({ startsAt, endsAt, pauseMinutes }: Wanted) =>
  sql`with_pause(${range(startsAt, endsAt)}, ${pauseMinutes}::int)`

type Wanted = { startsAt: Date; endsAt: Date; pauseMinutes: number }

/** Inserts a reservation. Returns false if a live one of the practitioner or the client overlaps it. */
export async function insertReservation(
  db: Db,
  { startsAt, endsAt, ...reservation }: Reservation,
): Promise<boolean> {
  const rows = await runPrepared(
    db,
    db
      .insertInto('reservations')
      .values({
        ...reservation,
        during: range(startsAt, endsAt),
        state: reservation.hold_expires_at === null ? 'booked' : 'held',
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id'),
  )
  return rows.length > 0
}

/** Whether a live reservation of the practitioner is in the way of the time. */
export async function isTaken(db: Db, practitionerId: number, wanted: Wanted): Promise<boolean> {
  const row = await db
    .selectFrom('reservations')
    .select('id')
    .where('practitioner_id', '=', practitionerId)
    .where('state', '<>', 'released')
    .where(sql<boolean>`blocked && ${blockedBy(wanted)}`)
    .executeTakeFirst()
  return row !== undefined
}

/** Moves a live reservation. @throws the exclusion constraint's error (23P01) when the new time is taken */
export async function moveReservation(
  db: Db,
  id: string,
  { startsAt, endsAt, pauseMinutes }: Wanted,
): Promise<void> {
  await db
    .updateTable('reservations')
    .set({ during: range(startsAt, endsAt), pause_minutes: pauseMinutes })
    .where('id', '=', id)
    .where('state', '<>', 'released')
    .execute()
}

/** Shortens a live reservation; its pause stays. */
export async function narrowReservation(
  db: Db,
  id: string,
  { startsAt, endsAt }: { startsAt: Date; endsAt: Date },
): Promise<void> {
  await db
    .updateTable('reservations')
    .set({ during: range(startsAt, endsAt) })
    .where('id', '=', id)
    .where('state', '<>', 'released')
    .execute()
}

/** Turns a hold into a booking. Returns false if the hold has expired or was released. */
export async function bookReservation(db: Db, id: string, now: Date): Promise<boolean> {
  const row = await db
    .updateTable('reservations')
    .set({ state: 'booked', hold_expires_at: null })
    .where('id', '=', id)
    .where('state', '=', 'held')
    .where('hold_expires_at', '>', now)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Sets when a hold expires, if it has not yet. Returns whether it was set. */
export async function setHoldExpiry(db: Db, id: string, expiresAt: Date, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('reservations')
    .set({ hold_expires_at: expiresAt })
    .where('id', '=', id)
    .where('state', '=', 'held')
    .where('hold_expires_at', '>', now)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export type Released = { id: string; practitioner_id: number }

/** Releases a reservation, if it is still live. */
export async function release(db: Db, id: string): Promise<Released | undefined> {
  return db
    .updateTable('reservations')
    .set({ state: 'released', hold_expires_at: null })
    .where('id', '=', id)
    .where('state', '<>', 'released')
    .returning(['id', 'practitioner_id'])
    .executeTakeFirst()
}

type Overlap = Wanted & { practitionerId: number; clientId: string; now: Date }

/**
 * Finds the holds that a new reservation may release: expired ones of the practitioner or the client that overlap it,
 * and the client's own unpaid holds for this practitioner unless `keepsOwn`. Locks them in the order of their ids.
 */
export async function obstructingHolds(db: Db, overlap: Overlap & { keepsOwn: boolean }) {
  const { practitionerId, clientId, keepsOwn, startsAt, endsAt, now } = overlap
  const holds = db
    .selectFrom('reservations')
    .select(['id', 'practitioner_id', 'client_id', 'hold_expires_at'])
    .where('state', '=', 'held')
    .where((eb) =>
      eb.or([
        eb.and([
          eb.or([
            eb.and([
              eb('practitioner_id', '=', practitionerId),
              sql<boolean>`blocked && ${blockedBy(overlap)}`,
            ]),
            eb.and([eb('client_id', '=', clientId), sql<boolean>`during && ${range(startsAt, endsAt)}`]),
          ]),
          eb('hold_expires_at', '<=', now),
        ]),
        ...(keepsOwn
          ? []
          : [eb.and([eb('practitioner_id', '=', practitionerId), eb('client_id', '=', clientId)])]),
      ]),
    )
    .orderBy('id')
    .forUpdate()
  return runPrepared(db, holds)
}

/** Counts the unexpired holds of a client. */
export async function countHolds(db: Db, clientId: string, now: Date): Promise<number> {
  const [row] = await runPrepared(
    db,
    db
      .selectFrom('reservations')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('client_id', '=', clientId)
      .where('state', '=', 'held')
      .where('hold_expires_at', '>', now),
  )
  return row?.count ?? 0
}

/** Serialises the reservations of one client, so that two concurrent requests cannot both pass a limit. */
export async function lockClient(db: Db, clientId: string): Promise<void> {
  await runPrepared(
    db,
    db.selectFrom('clients').select('account_id').where('account_id', '=', clientId).forUpdate(),
  )
}

/** Deletes the released reservations of a client, except the given ones. */
export async function deleteReleased(db: Db, clientId: string, except: string[]): Promise<void> {
  let query = db.deleteFrom('reservations').where('client_id', '=', clientId).where('state', '=', 'released')
  if (except.length > 0) query = query.where('id', 'not in', except)
  await query.execute()
}

// Busy elsewhere ------------------------------------------------------------------------------------------------------

/** The booked times of a practitioner in a range, without pauses. */
export async function readBooked(db: Db, practitionerId: number, { from, to }: Range): Promise<Busy[]> {
  const { rows } = await sql<{ starts: Date; ends: Date }>`
    select lower(during) as starts, upper(during) as ends from reservations
    where practitioner_id = ${practitionerId} and state = 'booked'
      and during && ${range(new Date(from), new Date(to))}
    order by lower(during)`.execute(db)
  return rows.map(({ starts, ends }) => ({ from: starts.getTime(), to: ends.getTime() }))
}

/** The busy times of a practitioner's connected calendar as last read, soonest first. */
export async function readBusyElsewhere(db: Db, practitionerId: number): Promise<Busy[]> {
  const { rows } = await sql<{ starts: Date; ends: Date }>`
    select lower(during) as starts, upper(during) as ends from busy_elsewhere
    where practitioner_id = ${practitionerId} order by lower(during)`.execute(db)
  return rows.map(({ starts, ends }) => ({ from: starts.getTime(), to: ends.getTime() }))
}

export async function replaceBusyElsewhere(
  db: Db,
  practitionerId: number,
  busy: readonly Busy[],
): Promise<void> {
  await db.deleteFrom('busy_elsewhere').where('practitioner_id', '=', practitionerId).execute()
  if (busy.length === 0) return
  await db
    .insertInto('busy_elsewhere')
    .values(
      busy.map(({ from, to }) => ({
        practitioner_id: practitionerId,
        during: range(new Date(from), new Date(to)),
      })),
    )
    .execute()
}
