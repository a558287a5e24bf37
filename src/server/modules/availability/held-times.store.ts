import { sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import { guarded } from './availability.store.ts'

/** Until when the client of a hold can pay. */
const payableUntil = sql<Date>`deadline_of(origin, hold_expires_at)`
const isInTimeOff = sql<boolean>`exists (select from time_off t
  where t.practitioner_id = reservations.practitioner_id and t.during && reservations.during)`

/**
 * Turns a hold into a booking. Returns undefined if the hold has expired or was released; otherwise whether time off of the
 * practitioner overlaps it.
 */
export async function bookReservation(
  db: Db,
  id: string,
  now: Date,
): Promise<{ is_in_time_off: boolean } | undefined> {
  return db
    .updateTable('reservations')
    .set({ state: 'booked', hold_expires_at: null })
    .where('id', '=', id)
    .where('state', '=', 'held')
    .where(payableUntil, '>', now)
    .returning(isInTimeOff.as('is_in_time_off'))
    .executeTakeFirst()
}

/** Whether time off of the practitioner overlaps a reservation. */
export async function liesInTimeOff(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('reservations')
    .select('id')
    .where('id', '=', id)
    .where(isInTimeOff)
    .executeTakeFirst()
  return row !== undefined
}

/** Sets until when the client of a hold can pay, if it has not ended. Returns whether it was set. */
export async function setDeadline(db: Db, id: string, deadline: Date, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('reservations')
    .set({ hold_expires_at: guarded(sql`origin`, deadline) })
    .where('id', '=', id)
    .where('state', '=', 'held')
    .where(payableUntil, '>', now)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
