import { type RawBuilder, sql } from 'kysely'
import type { AppointmentType } from '#contract/common.ts'
import type { Db, NewRow } from '../../db/connection.ts'
import { prepare, type Question, runPrepared } from '../../db/prepared.ts'
import type { Busy, WeeklyHour } from './availability.rules.ts'

/** Busy time; for a hold, with its expiry. Epoch milliseconds. */
export type Taken = Busy & { reservationId: string | null; holdExpiresAt: number | null }

/** A practitioner's scheduled hours and busy times. */
export type Calendar = { schedule: WeeklyHour[]; taken: Taken[] }

export type Range = { from: number; to: number }

type CalendarRow = {
  id: number
  hours: [weekday: number, hour: number, type: AppointmentType, locationId: number | null][]
  taken: [from: number, to: number, reservationId: string | null, holdExpiresAt: number | null][]
}

export const range = (startsAt: Date, endsAt: Date) =>
  sql<string>`tstzrange(${startsAt}::timestamptz, ${endsAt}::timestamptz)`
/** The same of epoch milliseconds. */
export const rangeOf = ({ from, to }: Range) => range(new Date(from), new Date(to))

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
  const rows = await selectCalendars(db, { ids: practitionerIds, ...valuesOf(range, now, exceptHoldsOf) })
  return new Map(rows.map((row) => [row.id, toCalendar(row)]))
}

/** The same of one practitioner, to be asked together with other questions. */
export function askCalendar(
  practitionerId: number,
  range: Range,
  now: Date,
  exceptHoldsOf: string | null,
): Question<Calendar> {
  const { statements, read } = selectCalendar.of({
    id: practitionerId,
    ...valuesOf(range, now, exceptHoldsOf),
  })
  return {
    statements,
    read(answers) {
      const [row] = read(answers)
      if (!row) throw new Error('A calendar is one row.')
      return toCalendar(row)
    },
  }
}

type CalendarValues = { from: Date; to: Date; now: Date; exceptHoldsOf: string | null }

const valuesOf = ({ from, to }: Range, now: Date, exceptHoldsOf: string | null): CalendarValues => ({
  from: new Date(from),
  to: new Date(to),
  now,
  exceptHoldsOf,
})

const toCalendar = ({ hours, taken }: CalendarRow): Calendar => ({
  schedule: hours.map(toHour),
  taken: taken.map(toTaken),
})

function calendarsOf(people: RawBuilder<unknown>, at: CalendarValues) {
  const during = range(at.from, at.to)
  return sql<CalendarRow>`
      select p.id, ${hoursOf(sql`p.id`)} as hours,
        coalesce((select json_agg(json_build_array(
            ${epoch(sql`lower(during)`)}, ${epoch(sql`upper(during)`)}, reservation_id, ${epoch(sql`hold_expires_at`)}))
          from (
            select during, id as reservation_id, hold_expires_at from reservations
            where practitioner_id = p.id and state <> 'released' and blocked && ${during}
              and (hold_expires_at is null or hold_expires_at > ${at.now})
              and (state <> 'held' or client_id is distinct from ${at.exceptHoldsOf}::uuid)
            union all
            ${awayIn(sql`p.id`, during)}
          ) busy), '[]'::json) as taken
      from ${people} as p(id)`
}

const selectCalendars = prepare((at: CalendarValues & { ids: number[] }) =>
  calendarsOf(sql`unnest(${at.ids}::int[])`, at),
)
// PostgreSQL keeps the plan for one, and makes one anew for each list.
const selectCalendar = prepare((at: CalendarValues & { id: number }) =>
  calendarsOf(sql`(select ${at.id}::int)`, at),
)

const hoursOf = (id: RawBuilder<unknown>) => sql`
  coalesce((select json_agg(json_build_array(weekday, hour, appointment_type, location_id))
    from weekly_hours where practitioner_id = ${id}), '[]'::json)`

/** Time off, and times of a connected calendar. */
const awayIn = (id: RawBuilder<unknown>, during: RawBuilder<unknown>) => sql`
  select during, null::uuid, null::timestamptz from time_off where practitioner_id = ${id} and during && ${during}
  union all
  select during, null, null from busy_elsewhere where practitioner_id = ${id} and during && ${during}`

const toHour = ([
  weekday,
  hour,
  appointment_type,
  location_id,
]: CalendarRow['hours'][number]): WeeklyHour => ({
  weekday,
  hour,
  appointment_type,
  location_id,
})

const toTaken = ([from, to, reservationId, holdExpiresAt]: CalendarRow['taken'][number]): Taken => ({
  from,
  to,
  reservationId,
  holdExpiresAt,
})

/** What decides whether a client may hold a time of a practitioner. */
export type HoldFacts = Calendar & {
  /** The unexpired holds of the client that count towards their limit. */
  heldByClient: number
  /** Whether a hold may be in the way that a new one releases. */
  mayRelease: boolean
}

/** Reads the calendar of a practitioner and the holds of a client, who is locked. `now` decides which have expired. */
export function askHoldFacts(
  wanted: { practitionerId: number; clientId: string },
  { from, to }: Range,
  now: Date,
): Question<HoldFacts> {
  const { statements, read } = selectHoldFacts.of({ ...wanted, from: new Date(from), to: new Date(to) })
  return {
    statements,
    read(answers) {
      const [row] = read(answers)
      if (!row) throw new Error('The facts of a hold are one row.')
      const isLive = (expiry: number | null) => expiry === null || expiry > now.getTime()
      const live = row.taken.filter(([, , , expiry]) => isLive(expiry))
      const own = row.own.filter(([, , expiry]) => isLive(expiry))
      const replaced = own.filter(([id, origin]) => id === wanted.practitionerId && origin === 'client')
      return {
        schedule: row.hours.map(toHour),
        taken: live.flatMap(([start, end, id, expiry, isOwn]) =>
          isOwn ? [] : toTaken([start, end, id, expiry]),
        ),
        heldByClient: own.filter(([, origin]) => origin === 'client').length - replaced.length,
        mayRelease: replaced.length > 0 || live.length < row.taken.length || own.length < row.own.length,
      }
    },
  }
}

type HoldFactsRow = {
  hours: CalendarRow['hours']
  taken: [...CalendarRow['taken'][number], isOwn: boolean][]
  own: [practitionerId: number, origin: string, expiry: number | null][]
}

const selectHoldFacts = prepare((at: { practitionerId: number; clientId: string; from: Date; to: Date }) => {
  const id = sql`${at.practitionerId}::int`
  const during = range(at.from, at.to)
  return sql<HoldFactsRow>`
      select ${hoursOf(id)} as hours,
        coalesce((select json_agg(json_build_array(${epoch(sql`lower(during)`)}, ${epoch(sql`upper(during)`)},
            reservation_id, ${epoch(sql`hold_expires_at`)}, is_own))
          from (
            select during, id as reservation_id, hold_expires_at, state = 'held' and client_id = ${at.clientId}::uuid as is_own
            from reservations where practitioner_id = ${id} and state <> 'released' and blocked && ${during}
            union all
            select away.*, false from (${awayIn(id, during)}) away
          ) busy), '[]'::json) as taken,
        coalesce((select json_agg(json_build_array(practitioner_id, origin, ${epoch(sql`hold_expires_at`)}))
          from reservations where client_id = ${at.clientId}::uuid and state = 'held'), '[]'::json) as own`
})

/** When a hold with a deadline releases its time by itself. An offer's is kept a little longer, for the next client. */
export const guarded = (origin: RawBuilder<unknown>, deadline: Date) =>
  sql<Date>`guarded_until(${origin}, ${deadline}::timestamptz)`

type Reservation = NewRow<'reservations', 'during' | 'state' | 'hold_expires_at'> & {
  origin: 'client' | 'offer'
  startsAt: Date
  endsAt: Date
  /** Until when its client can pay; null for a reservation without a hold. */
  deadline: Date | null
}

/** The range that a session blocks: itself and the pause after it. */
const blockedBy = ({ startsAt, endsAt, pauseMinutes }: Wanted) =>
  sql`with_pause(${range(startsAt, endsAt)}, ${pauseMinutes}::int)`

export type Wanted = { startsAt: Date; endsAt: Date; pauseMinutes: number }

/** Inserts a reservation. Returns false if a live one of the practitioner or the client overlaps it. */
export async function insertReservation(
  db: Db,
  { startsAt, endsAt, deadline, ...reservation }: Reservation,
): Promise<boolean> {
  const rows = await runPrepared(
    db,
    db
      .insertInto('reservations')
      .values({
        ...reservation,
        during: range(startsAt, endsAt),
        state: deadline === null ? 'booked' : 'held',
        hold_expires_at: deadline && guarded(sql`${reservation.origin}::text`, deadline),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id'),
  )
  return rows.length > 0
}

/** Holds a time. Fails with HE011 or HE012 if a live reservation of the practitioner or of the client overlaps it. */
export const holdTime = prepare(
  (at: {
    id: string
    practitionerId: number
    clientId: string
    startsAt: Date
    endsAt: Date
    pauseMinutes: number
    expiresAt: Date
    now: Date
  }) => sql`
    select hold_time(${at.id}::uuid, ${at.practitionerId}::int, ${at.clientId}::uuid, ${at.startsAt}::timestamptz,
      ${at.endsAt}::timestamptz, ${at.pauseMinutes}::int, ${at.expiresAt}::timestamptz, ${at.now}::timestamptz)`,
)

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

/**
 * Moves a live reservation. Returns the time that it had. @throws the exclusion constraint's error (23P01) when the new
 * time is taken
 */
export async function moveReservation(
  db: Db,
  id: string,
  { startsAt, endsAt, pauseMinutes }: Wanted,
): Promise<{ from: Date; to: Date } | undefined> {
  const { rows } = await sql<{ from: Date; to: Date }>`
    update reservations set during = ${range(startsAt, endsAt)}, pause_minutes = ${pauseMinutes}
    from reservations before where before.id = reservations.id and reservations.id = ${id} and reservations.state <> 'released'
    returning lower(before.during) as from, upper(before.during) as to`.execute(db)
  return rows[0]
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

export type Released = { id: string; practitioner_id: number; starts_at: Date; ends_at: Date }

/** Releases a reservation, if it is still live. */
export async function release(db: Db, id: string): Promise<Released | undefined> {
  return db
    .updateTable('reservations')
    .set({ state: 'released', hold_expires_at: null })
    .where('id', '=', id)
    .where('state', '<>', 'released')
    .returning([
      'id',
      'practitioner_id',
      sql<Date>`lower(during)`.as('starts_at'),
      sql<Date>`upper(during)`.as('ends_at'),
    ])
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
    .select(['id', 'practitioner_id'])
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
          : [
              eb.and([
                eb('practitioner_id', '=', practitionerId),
                eb('client_id', '=', clientId),
                eb('origin', '=', 'client'),
              ]),
            ]),
      ]),
    )
    .orderBy('id')
    .forUpdate()
  return runPrepared(db, holds)
}

/** Serialises the reservations of one client, so that two concurrent requests cannot both pass a limit. */
export const lockClient = prepare(
  (at: { clientId: string }) => sql<{ referred_by: string | null }>`
    select referred_by from clients where account_id = ${at.clientId}::uuid for update`,
)

/** Deletes the released reservations of a client, except the given ones. */
export async function deleteReleased(db: Db, clientId: string, except: string[]): Promise<void> {
  let query = db.deleteFrom('reservations').where('client_id', '=', clientId).where('state', '=', 'released')
  if (except.length > 0) query = query.where('id', 'not in', except)
  await query.execute()
}

/** The booked times of a practitioner in a range, without pauses. */
export async function readBooked(db: Db, practitionerId: number, during: Range): Promise<Busy[]> {
  const { rows } = await sql<{ starts: Date; ends: Date }>`
    select lower(during) as starts, upper(during) as ends from reservations
    where practitioner_id = ${practitionerId} and state = 'booked'
      and during && ${rangeOf(during)}
    order by lower(during)`.execute(db)
  return rows.map(({ starts, ends }) => ({ from: starts.getTime(), to: ends.getTime() }))
}
