import type { z } from 'zod'
import type { EditSession } from '#contract/bookings/bookings.ts'
import type { Tx } from '../../db/connection.ts'
import type { WantedTime } from '../availability/agreed-times.ts'
import type { Availability } from '../availability/availability.service.ts'
import type { Price } from './bookings.rules.ts'
import type { AppointmentRow } from './bookings.store.ts'

/** What a session is to become. */
export type Wanted = z.infer<typeof EditSession>

/** What it takes. Pence. */
export type Plan = {
  price: Price
  serviceId: number
  durationMinutes: number
  extraPence: number
  extraDiscountPence: number
}

/**
 * Moves the time of a session. The hour that a series has in its rhythm counts as offered to its client.
 * @throws 422 `slot_not_offered`; 409 `slot_taken`, `client_busy`
 */
export async function moveTime(
  availability: Availability,
  tx: Tx,
  row: AppointmentRow,
  time: Omit<WantedTime, 'practitionerId' | 'clientId'>,
) {
  if (!row.reservation_id) throw new Error('A session without a time was to be moved.')
  const wanted = { ...time, practitionerId: row.practitioner_id, clientId: row.client_id }
  const isItsOwn =
    row.series_starts_at?.getTime() === time.startsAt.getTime() &&
    row.appointment_type === time.appointmentType
  return isItsOwn
    ? availability.move(tx, row.reservation_id, { ...wanted, locationId: row.location_id }, 'agreed')
    : availability.move(tx, row.reservation_id, wanted)
}

/** Whether a session is already as a change wants it. */
export function isAsWanted(row: AppointmentRow, body: Wanted): boolean {
  return (
    row.starts_at?.getTime() === Date.parse(body.appointment_datetime) &&
    row.appointment_type === body.type &&
    (body.service_id == null || body.service_id === row.service_id) &&
    (body.location_id == null || body.location_id === row.location_id)
  )
}

/** What an appointment stores about a move: its start before, unless only its service, format or place changes. */
export const movedFrom = (row: Pick<AppointmentRow, 'starts_at'>, startsAt: Date) =>
  row.starts_at?.getTime() === startsAt.getTime() ? {} : { moved_from: row.starts_at }
