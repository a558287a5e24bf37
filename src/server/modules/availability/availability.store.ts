import { sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import type { Busy, WeeklyHour } from './availability.rules.ts'

/** The weekly schedules of some practitioners. */
export async function readSchedules(db: Db, practitionerIds: number[]): Promise<Map<number, WeeklyHour[]>> {
  const rows = await db
    .selectFrom('weekly_hours')
    .select(['practitioner_id', 'weekday', 'hour', 'appointment_type', 'location_id'])
    .where('practitioner_id', 'in', practitionerIds)
    .execute()
  return grouped(rows, (row) => row.practitioner_id)
}

/** Busy time with, for a hold, the moment at which it runs out. */
export type Taken = Busy & {
  practitioner_id: number
  reservation_id: string | null
  hold_expires_at: Date | null
}

type Range = { from: number; to: number }

/**
 * Live reservations, with the pause they keep, time off and what their own calendars say, of some practitioners, that
 * overlap a range. Holds that have run out by `now` are left out, as they no longer keep anybody from booking; so are
 * those of the client `exceptHoldsOf`.
 */
export async function readTaken(
  db: Db,
  practitionerIds: number[],
  range: Range,
  now: Date,
  exceptHoldsOf: string | null = null,
): Promise<Map<number, Taken[]>> {
  const during = sql`tstzrange(${new Date(range.from)}::timestamptz, ${new Date(range.to)}::timestamptz)`
  const ids = sql`${practitionerIds}::int[]`
  const { rows } = await sql<Omit<Taken, 'from' | 'to'> & { starts: Date; ends: Date }>`
    select practitioner_id, id::text as reservation_id, hold_expires_at,
           lower(during) as starts, upper(during) as ends
    from reservations
    where practitioner_id = any(${ids}) and state <> 'released' and blocked && ${during}
      and (hold_expires_at is null or hold_expires_at > ${now})
      and (state <> 'held' or client_id is distinct from ${exceptHoldsOf}::uuid)
    union all
    select practitioner_id, null, null, lower(during), upper(during)
    from time_off
    where practitioner_id = any(${ids}) and during && ${during}
    union all
    select practitioner_id, null, null, lower(during), upper(during)
    from busy_elsewhere
    where practitioner_id = any(${ids}) and during && ${during}`.execute(db)
  return grouped(
    rows.map(({ starts, ends, ...row }) => ({ ...row, from: starts.getTime(), to: ends.getTime() })),
    (row) => row.practitioner_id,
  )
}

function grouped<Row>(rows: Row[], key: (row: Row) => number): Map<number, Row[]> {
  const groups = new Map<number, Row[]>()
  for (const row of rows) {
    const group = groups.get(key(row))
    if (group) group.push(row)
    else groups.set(key(row), [row])
  }
  return groups
}

type Reservation = {
  id: string
  practitioner_id: number
  client_id: string
  startsAt: Date
  endsAt: Date
  /** Kept free after it. */
  pause_minutes: number
  /** Null for time that is booked at once. */
  hold_expires_at: Date | null
  created_at: Date
}

const range = (startsAt: Date, endsAt: Date) =>
  sql<string>`tstzrange(${startsAt}::timestamptz, ${endsAt}::timestamptz)`

/** What a session would block: itself and the pause after it. */
const blockedBy = ({ startsAt, endsAt, pauseMinutes }: Wanted) =>
  sql`with_pause(${range(startsAt, endsAt)}, ${pauseMinutes}::int)`

type Wanted = { startsAt: Date; endsAt: Date; pauseMinutes: number }

/** Takes the time. False when a live reservation of the practitioner or of the client overlaps it. */
export async function insertReservation(
  db: Db,
  { startsAt, endsAt, ...reservation }: Reservation,
): Promise<boolean> {
  const row = await db
    .insertInto('reservations')
    .values({
      ...reservation,
      during: range(startsAt, endsAt),
      state: reservation.hold_expires_at === null ? 'booked' : 'held',
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
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

/** Makes a hold a booking. False when it has run out or was released meanwhile. */
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

export async function setHoldExpiry(db: Db, id: string, expiresAt: Date): Promise<void> {
  await db
    .updateTable('reservations')
    .set({ hold_expires_at: expiresAt })
    .where('id', '=', id)
    .where('state', '=', 'held')
    .execute()
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
 * Holds that stand in the way of taking a time and no longer should: of the practitioner or of the client, in the way
 * and run out, and the client's own unpaid holds for this practitioner unless those are kept. Locked, in the order of
 * their ids.
 */
export async function obstructingHolds(db: Db, overlap: Overlap & { keepsOwn: boolean }) {
  const { practitionerId, clientId, keepsOwn, startsAt, endsAt, now } = overlap
  return db
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
    .execute()
}

/** How many holds of the client still run. */
export async function countHolds(db: Db, clientId: string, now: Date): Promise<number> {
  const row = await db
    .selectFrom('reservations')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('client_id', '=', clientId)
    .where('state', '=', 'held')
    .where('hold_expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Serialises what one client takes, so that two requests of theirs cannot both be within a limit. */
export async function lockClient(db: Db, clientId: string): Promise<void> {
  await db.selectFrom('clients').select('account_id').where('account_id', '=', clientId).forUpdate().execute()
}

/** Forgets the times that a client took, but for some. They have been released before. */
export async function deleteReleased(db: Db, clientId: string, except: string[]): Promise<void> {
  let query = db.deleteFrom('reservations').where('client_id', '=', clientId).where('state', '=', 'released')
  if (except.length > 0) query = query.where('id', 'not in', except)
  await query.execute()
}

// Busy elsewhere ------------------------------------------------------------------------------------------------------

/** What is booked with a practitioner in a range, without pauses. */
export async function readBooked(db: Db, practitionerId: number, { from, to }: Range): Promise<Busy[]> {
  const { rows } = await sql<{ starts: Date; ends: Date }>`
    select lower(during) as starts, upper(during) as ends from reservations
    where practitioner_id = ${practitionerId} and state = 'booked'
      and during && ${range(new Date(from), new Date(to))}
    order by lower(during)`.execute(db)
  return rows.map(({ starts, ends }) => ({ from: starts.getTime(), to: ends.getTime() }))
}

/** What a practitioner's own calendar said last, soonest first. */
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
