import type { Appointment, AppointmentDetail } from '#contract/bookings/bookings.ts'
import type { AppointmentType } from '#contract/common.ts'
import { serverNow } from '#web/lib/clock.ts'
import { formatPounds } from '#web/lib/money.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'

export const formatNames: Record<AppointmentType, string> = {
  online: 'Online',
  face_to_face: 'Face-to-face',
}

export const bookingTypeNames: Record<Appointment['booking_type'], string> = {
  schedule: 'Scheduled session',
  'get-help-right-now': 'Get help right now',
}

/** What tells a session apart from the others in a list: `Amelia Hart, Wednesday 4 March, 10:00`. */
export function sessionWords({
  practitioner,
  starts_at,
}: Pick<AppointmentDetail, 'practitioner' | 'starts_at'>): string {
  return [practitioner.full_name, starts_at && formatDayAndTime(starts_at, viewerZone())]
    .filter(Boolean)
    .join(', ')
}

/**
 * The end of "free of charge …": `until Friday 6 March, 10:32`, or `until it starts` where the last moment is the one
 * before the start.
 */
export function changeUntilLabel(until: string, startsAt: string, zone: string): string {
  const isUntilStart = Date.parse(startsAt) - Date.parse(until) < 60_000
  return isUntilStart ? 'until it starts' : `until ${formatDayAndTime(until, zone)}`
}

/** Where the payment of a reserved session stands: the words, and whether the client has to do something. */
export function reservedLabel(
  { fee, pay_at, pay_by, payment_due }: Pick<AppointmentDetail, 'fee' | 'pay_at' | 'pay_by' | 'payment_due'>,
  zone: string,
): { words: string; isDue: boolean } {
  const amount = formatPounds(fee)
  const by = pay_by ? ` Pay by ${formatDayAndTime(pay_by, zone)}, or the hour becomes free.` : ''
  switch (payment_due) {
    case 'checking':
      return { words: 'Your payment is being checked.', isDue: false }
    case 'needed':
    case 'retrying':
      return { words: `The payment did not go through.${by}`, isDue: true }
    default:
      if (pay_at && Date.parse(pay_at) <= serverNow()) return { words: `Not paid yet.${by}`, isDue: true }
      return {
        words: pay_at ? `Not paid yet: ${amount} taken ${formatDayAndTime(pay_at, zone)}.` : 'Not paid yet.',
        isDue: false,
      }
  }
}

/** `50 minutes`, `1 hour`, `1 hour 30 minutes`. */
export function durationLabel(startsAt: string, endsAt: string): string {
  const minutes = Math.round((Date.parse(endsAt) - Date.parse(startsAt)) / 60_000)
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  return [
    hours > 0 && `${hours} ${hours === 1 ? 'hour' : 'hours'}`,
    (rest > 0 || hours === 0) && `${rest} ${rest === 1 ? 'minute' : 'minutes'}`,
  ]
    .filter(Boolean)
    .join(' ')
}
