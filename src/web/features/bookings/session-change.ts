import type { AppointmentDetail } from '#contract/bookings/bookings.ts'
import type { AppointmentType } from '#contract/common.ts'
import type { Service } from '#contract/practitioners/practitioners.ts'
import { leastChargePence, takenAhead } from '#contract/money.ts'
import { poundsToPence } from '#web/lib/money.ts'

/** A referred client's first session; specification, section 9. */
const referralDiscountPercent = 20

type Booked = Pick<AppointmentDetail, 'fee' | 'full_fee' | 'discount' | 'service_id' | 'appointment_type'>
type Choice = Pick<Service, 'service_id' | 'fee'> & { appointment_type: AppointmentType }

/** What a change costs, in pence. `difference` is above zero when it has to be paid, below when it comes back. */
export type ChangedPrice = { due: number; difference: number }

/**
 * The price after a change, as the server will compute it: what was agreed stays agreed for the same service and format;
 * for another, its price with the discount that the session had, unless that is dearer by less than a card can be charged.
 * The server compares and has the last word.
 */
export function changedPrice(booked: Booked, choice: Choice): ChangedPrice {
  const paid = poundsToPence(booked.fee)
  const isSame =
    choice.service_id === booked.service_id && choice.appointment_type === booked.appointment_type
  const full = poundsToPence(isSame ? booked.full_fee : choice.fee)
  const percent = booked.discount > 0 ? referralDiscountPercent : 0
  const due = full - Math.floor((full * percent + 50) / 100)
  const difference = due - paid
  return difference > 0 && difference < leastChargePence ? { due: paid, difference: 0 } : { due, difference }
}

/**
 * The price of a reserved session after a change. Nothing of it is paid yet: it is due at once where its money would have
 * been taken by `now`, and later otherwise.
 */
export function unpaidPrice({ due }: ChangedPrice, startsAt: string, now: number): ChangedPrice {
  return { due, difference: Date.parse(startsAt) - takenAhead <= now ? due : 0 }
}

/** How a session is to be. `locationId` is null where it does not matter. */
export type WantedChange = {
  serviceId: number
  type: AppointmentType
  startsAt: string
  locationId: number | null
}

/** Whether anything would be different. */
export function isChange(
  booked: Pick<AppointmentDetail, 'service_id' | 'appointment_type' | 'starts_at' | 'location_id'>,
  wanted: WantedChange,
): boolean {
  return (
    wanted.serviceId !== booked.service_id ||
    wanted.type !== booked.appointment_type ||
    Date.parse(wanted.startsAt) !== Date.parse(booked.starts_at ?? '') ||
    (wanted.locationId !== null && wanted.locationId !== booked.location_id)
  )
}
