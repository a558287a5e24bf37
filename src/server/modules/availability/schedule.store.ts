import { sql } from 'kysely'
import type { Db, Tx } from '../../db/connection.ts'
import { runPrepared } from '../../db/prepared.ts'
import type { Busy, WeeklyHour } from './availability.rules.ts'
import { rangeOf } from './availability.store.ts'

/** The weekly schedule of one practitioner. */
export async function readWeek(db: Db, practitionerId: number): Promise<WeeklyHour[]> {
  return db
    .selectFrom('weekly_hours')
    .select(['weekday', 'hour', 'appointment_type', 'location_id'])
    .where('practitioner_id', '=', practitionerId)
    .execute()
}

export type WeekRow = { id: number; hours: [weekday: number, hour: number][] }

/** The scheduled hours of practitioners. A row of the list per practitioner, far faster than a row per hour. */
export async function readWeeks(db: Db, practitionerIds: number[]): Promise<WeekRow[]> {
  return runPrepared(
    db,
    sql<WeekRow>`
      select p.id, coalesce((select json_agg(json_build_array(weekday, hour)) from weekly_hours
        where practitioner_id = p.id), '[]'::json) as hours
      from unnest(${practitionerIds}::int[]) as p(id)`,
  )
}

export async function replaceWeek(
  tx: Tx,
  practitionerId: number,
  hours: readonly WeeklyHour[],
): Promise<void> {
  await tx.deleteFrom('weekly_hours').where('practitioner_id', '=', practitionerId).execute()
  if (hours.length === 0) return
  await tx
    .insertInto('weekly_hours')
    .values(hours.map((hour) => ({ ...hour, practitioner_id: practitionerId })))
    .execute()
}

/** Deletes the scheduled hours at some places. Returns false if there were none. */
export async function deleteHoursAt(tx: Tx, practitionerId: number, locationIds: number[]): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('weekly_hours')
    .where('practitioner_id', '=', practitionerId)
    .where('location_id', 'in', locationIds)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Shortens the pauses of live reservations that have not ended by `now`. */
export async function shortenPauses(
  tx: Tx,
  practitionerId: number,
  pauseMinutes: number,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('reservations')
    .set({ pause_minutes: pauseMinutes })
    .where('practitioner_id', '=', practitionerId)
    .where('state', '<>', 'released')
    .where('pause_minutes', '>', pauseMinutes)
    .where(sql<boolean>`upper(blocked) > ${now}`)
    .execute()
}

export type TimeOffRow = Busy & { id: number; timezone: string; booked_sessions: number }

/**
 * Time off that overlaps a range, in order, with the count of sessions booked in it that have not begun at `now`, which the
 * range begins at unless it is given. Without `to` the range is open.
 */
export async function readTimeOff(
  db: Db,
  practitionerId: number,
  range: { from: Date; to?: Date },
  now: Date = range.from,
): Promise<TimeOffRow[]> {
  const wanted = sql`tstzrange(${range.from}::timestamptz, ${range.to ?? null}::timestamptz)`
  const { rows } = await sql<Omit<TimeOffRow, 'from' | 'to'> & { starts: Date; ends: Date }>`
    select t.id, t.timezone, lower(t.during) as starts, upper(t.during) as ends,
      (select count(*)::int from reservations r
       where r.practitioner_id = t.practitioner_id and r.state = 'booked' and r.blocked && t.during
         and r.during && t.during and lower(r.during) > ${now}) as booked_sessions
    from time_off t
    where t.practitioner_id = ${practitionerId} and t.during && ${wanted}
    order by lower(t.during), upper(t.during), t.id`.execute(db)
  return rows.map(({ starts, ends, ...row }) => ({ ...row, from: starts.getTime(), to: ends.getTime() }))
}

export async function insertTimeOff(
  tx: Tx,
  practitionerId: number,
  range: Busy,
  timezone: string,
): Promise<void> {
  await tx
    .insertInto('time_off')
    .values({ practitioner_id: practitionerId, during: rangeOf(range), timezone })
    .execute()
}

export async function moveTimeOff(tx: Tx, id: number, range: Busy, timezone: string): Promise<void> {
  await tx
    .updateTable('time_off')
    .set({ during: rangeOf(range), timezone })
    .where('id', '=', id)
    .execute()
}

/** Returns false if the practitioner has no such time off. */
export async function deleteTimeOff(tx: Tx, practitionerId: number, id: number): Promise<boolean> {
  const row = await tx
    .deleteFrom('time_off')
    .where('id', '=', id)
    .where('practitioner_id', '=', practitionerId)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
