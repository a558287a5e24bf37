import type { Db } from '../../../db/connection.ts'
import { anyOf } from '../../../db/prepared.ts'

const sessions = (db: Db) =>
  db
    .selectFrom('appointments')
    .leftJoin('services', 'services.id', 'appointments.service_id')
    .select([
      'appointments.id',
      'appointments.client_id',
      'appointments.practitioner_id',
      'appointments.booking_type',
      'appointments.state',
      'appointments.starts_at',
      'appointments.ends_at',
      'appointments.appointment_type',
      'appointments.location_id',
      'appointments.sequence',
      'appointments.series_id',
      'appointments.frozen_at',
      'appointments.client_timezone',
      'services.name as service_name',
    ])
    .where('appointments.state', 'in', ['reserved', 'confirmed', 'completed', 'no_show'])
    .where('appointments.starts_at', 'is not', null)
    .where('appointments.ends_at', 'is not', null)
    .where('appointments.appointment_type', 'is not', null)
    .$narrowType<{
      state: 'reserved' | 'confirmed' | 'completed' | 'no_show'
      starts_at: Date
      ends_at: Date
      appointment_type: 'online' | 'face_to_face'
    }>()
    .orderBy('appointments.starts_at')
    .orderBy('appointments.id')

/** A booked, completed or missed session, as calendars show it. */
export type SessionRow = Awaited<ReturnType<typeof listDuring>>[number]

/** A practitioner's sessions that overlap a range, soonest first. */
export function listDuring(db: Db, practitionerId: number, { from, to }: { from: Date; to: Date }) {
  return sessions(db)
    .where('appointments.practitioner_id', '=', practitionerId)
    .where('appointments.ends_at', '>', from)
    .where('appointments.starts_at', '<', to)
    .execute()
}

/** A client's sessions that overlap a range, soonest first. */
export function listOfClient(db: Db, clientId: string, { from, to }: { from: Date; to: Date }) {
  return sessions(db)
    .where('appointments.client_id', '=', clientId)
    .where('appointments.ends_at', '>', from)
    .where('appointments.starts_at', '<', to)
    .execute()
}

/** One booked, completed or missed session, with the account of its practitioner. */
export function findSession(db: Db, id: string) {
  return sessions(db)
    .innerJoin('practitioners', 'practitioners.id', 'appointments.practitioner_id')
    .select('practitioners.account_id as practitioner_account_id')
    .where('appointments.id', '=', id)
    .executeTakeFirst()
}

/** Booked sessions that have not begun, soonest first, frozen ones included. */
export function listAhead(db: Db, practitionerId: number, now: Date, limit: number) {
  return sessions(db)
    .where('appointments.practitioner_id', '=', practitionerId)
    .where('appointments.state', 'in', ['reserved', 'confirmed'])
    .where('appointments.starts_at', '>', now)
    .limit(limit)
    .execute()
}

/** Ids of sessions ahead, without frozen ones, in some places or, if `isOnline`, online. Soonest first. */
export async function listAheadIn(
  db: Db,
  practitionerId: number,
  { locationIds, isOnline }: { locationIds: readonly number[]; isOnline: boolean },
  now: Date,
): Promise<string[]> {
  const rows = await sessions(db)
    .where('appointments.practitioner_id', '=', practitionerId)
    .where('appointments.state', 'in', ['reserved', 'confirmed'])
    .where('appointments.frozen_at', 'is', null)
    .where('appointments.starts_at', '>', now)
    .where((eb) =>
      eb.or([
        eb('appointments.location_id', '=', anyOf(locationIds)),
        eb.and([eb.lit(isOnline), eb('appointments.appointment_type', '=', 'online')]),
      ]),
    )
    .execute()
  return rows.map(({ id }) => id)
}

/** Cancelled sessions ahead that a practitioner's own calendar still has. */
export function listCancelledInCalendar(
  db: Db,
  practitionerId: number,
  now: Date,
): Promise<{ id: string }[]> {
  return db
    .selectFrom('appointments')
    .innerJoin('calendar_entries', 'calendar_entries.appointment_id', 'appointments.id')
    .select('appointments.id')
    .where('appointments.practitioner_id', '=', practitionerId)
    .where('appointments.state', '=', 'cancelled')
    .where('appointments.ends_at', '>', now)
    .execute()
}
