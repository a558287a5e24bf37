import type { Appointment, AppointmentDetail } from '#contract/bookings/bookings.ts'
import type { SeriesOfSession } from '#contract/series/series.ts'
import { serverNow } from '#web/lib/clock.ts'
import { type DuePayment, duePaymentLabel } from '#web/lib/due-payment.ts'
import { formatPounds } from '#web/lib/money.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { bankReturnsLabel } from './bank-returns.ts'

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

/** Whether a client may still move or cancel a session now. One that is being checked is only cancelled. */
export function isChangeable({ change }: Pick<AppointmentDetail, 'change'>): boolean {
  return change.allowed && change.until !== null && Date.parse(change.until) >= serverNow()
}

/** What the client may still change, until when, or why nothing. */
export function changeLabel(
  session: Pick<AppointmentDetail, 'change' | 'starts_at' | 'frozen_until' | 'booking_type' | 'room'>,
): string {
  const { change, starts_at, frozen_until, booking_type, room } = session
  if (isChangeable(session) && change.until && starts_at) {
    return `You can move or cancel it free of charge ${changeUntilLabel(change.until, starts_at, viewerZone())}.`
  }
  if (frozen_until) return 'Its time is kept while we check, and it cannot be moved.'
  if (room?.ended_at) return 'It has ended, so it cannot be moved or cancelled any more.'
  if (booking_type === 'get-help-right-now') {
    return 'A session for help right now cannot be moved or cancelled once it is accepted.'
  }
  if (starts_at && Date.parse(starts_at) <= serverNow()) {
    return 'It has begun, so it cannot be moved or cancelled any more.'
  }
  return 'It can no longer be moved or cancelled: that is possible within 48 hours of booking it, or until 48 hours before it starts.'
}

/** To its client, what becomes of a session that is being checked, and of its money. */
export function frozenLabel(
  {
    status,
    frozen_until,
    fee,
    dispute,
  }: Pick<AppointmentDetail, 'status' | 'fee' | 'dispute'> & { frozen_until: string },
  zone: string,
): string {
  const bank = status === 'reserved' ? undefined : bankReturnsLabel({ dispute })
  const isPromised = status !== 'reserved' && bank === undefined
  const outcome = status === 'reserved' ? ' and nothing is charged' : ` and you get ${formatPounds(fee)} back`
  return [
    `We will write to you by ${formatDayAndTime(frozen_until, zone)}.`,
    `If it cannot take place, it is cancelled by then${bank === undefined ? outcome : ''}.`,
    `You do not have to do anything; you can also cancel it now${isPromised ? ' and get all your money back' : ''}.`,
    bank,
  ]
    .filter(Boolean)
    .join(' ')
}

type Reserved = Pick<AppointmentDetail, 'fee' | 'pay_at' | 'pay_by' | 'payment_due' | 'card_set'>

/** Where the payment of a reserved session stands: the words, and whether the client has to pay it or to choose a card. */
export function reservedLabel(
  session: Reserved,
  zone: string,
): { words: string; isDue: boolean; lacksCard: boolean } {
  const stage = stageOf(session)
  return {
    words: duePaymentLabel({ ...session, stage }, zone),
    isDue: stage === 'failed' || stage === 'open',
    lacksCard: stage === 'no_card',
  }
}

/** To the client, a price that is asked for a reserved session and waits for their answer. */
export function askedPriceLabel(
  { fee, answer_by }: NonNullable<SeriesOfSession['asked_price']>,
  price: number,
  zone: string,
): string {
  return `Not paid yet: ${formatPounds(fee)} if you agree to the new price, ${formatPounds(price)} so far. Unless you agree by ${formatDayAndTime(answer_by, zone)}, this session does not take place.`
}

function stageOf({ pay_at, payment_due, card_set }: Reserved): DuePayment['stage'] {
  if (payment_due === 'checking') return 'checking'
  if (payment_due === 'needed' || payment_due === 'retrying') return 'failed'
  if (pay_at && Date.parse(pay_at) <= serverNow()) return 'open'
  return card_set === false ? 'no_card' : 'planned'
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
