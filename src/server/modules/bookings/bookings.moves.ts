import type { z } from 'zod'
import type { EditSession } from '#contract/bookings/bookings.ts'
import type { AppointmentType } from '#contract/common.ts'
import { minutes } from '../../clock.ts'
import type { AgreedHour } from '../../contributions/lookups.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { fail } from '../../errors.ts'
import type { BookingDependencies } from './bookings.deps.ts'
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
 * Moves the time of a session. The hour that a series has in its rhythm counts as offered to its client, as it was agreed.
 * Returns the new terms of the appointment, and the reservations in the way that were released.
 * @throws 422 `slot_not_offered`; 409 `slot_taken`, `client_busy`
 */
export async function moveTime(
  { availability, lookups }: Pick<BookingDependencies, 'availability' | 'lookups'>,
  tx: Tx,
  row: AppointmentRow,
  { body, plan }: { body: Wanted; plan: Plan },
) {
  if (!row.reservation_id) throw new Error('A session without a time was to be moved.')
  const wanted = {
    practitionerId: row.practitioner_id,
    clientId: row.client_id,
    startsAt: new Date(body.appointment_datetime),
    durationMinutes: plan.durationMinutes,
    appointmentType: body.type,
    locationId: body.location_id ?? null,
  }
  const agreed = await findAgreed(lookups, tx, row, wanted)
  const { slot, released } = agreed
    ? await availability.move(tx, row.reservation_id, { ...wanted, locationId: agreed.locationId }, 'agreed')
    : await availability.move(tx, row.reservation_id, wanted)
  const startsAt = new Date(slot.startsAt)
  const isSameStart = row.starts_at?.getTime() === slot.startsAt
  const terms = {
    appointment_type: body.type,
    service_id: plan.serviceId,
    location_id: slot.locationId,
    starts_at: startsAt,
    ends_at: new Date(slot.endsAt),
    // Its start before, unless only its service, format or place changes.
    ...(isSameStart ? {} : { moved_from: row.starts_at }),
    fee_pence: plan.price.feePence,
    discount_pence: plan.price.discountPence,
    ...(body.timezone ? { client_timezone: body.timezone } : {}),
  }
  return { terms, released }
}

/** What the series of a session was agreed as, if the time that is wanted is its own in the rhythm, as it was agreed. */
export async function findAgreed(
  lookups: BookingDependencies['lookups'],
  handle: Db,
  row: Pick<AppointmentRow, 'series_id' | 'series_starts_at'>,
  wanted: {
    startsAt: Date
    appointmentType: AppointmentType
    durationMinutes: number
    locationId: number | null
  },
): Promise<AgreedHour | undefined> {
  if (!row.series_id || row.series_starts_at?.getTime() !== wanted.startsAt.getTime()) return undefined
  const agreed = await lookups().agreedHour(handle, row.series_id)
  const isAsAgreed =
    agreed?.appointmentType === wanted.appointmentType &&
    wanted.durationMinutes <= agreed.durationMinutes &&
    (wanted.locationId ?? agreed.locationId) === agreed.locationId
  return isAsAgreed ? agreed : undefined
}

/** @throws 409 `changed_elsewhere` for a session that has been moved or changed since it was shown */
export function requireShown(row: AppointmentRow, { shown }: Wanted): void {
  const isShown =
    !shown ||
    (row.starts_at?.getTime() === Date.parse(shown.starts_at) &&
      row.service_id === shown.service_id &&
      row.appointment_type === shown.appointment_type)
  if (isShown) return
  throw fail(
    'changed_elsewhere',
    'This session was changed meanwhile, so nothing has changed now. Close this and look at it again.',
  )
}

/** How long a session is, in minutes; undefined for one without a time. */
export function lengthOf({ starts_at, ends_at }: AppointmentRow): number | undefined {
  return starts_at && ends_at ? (ends_at.getTime() - starts_at.getTime()) / minutes(1) : undefined
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
