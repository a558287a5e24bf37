import type { AppointmentState, PaymentDue } from '#contract/bookings/bookings.ts'
import { takenAhead } from '#contract/money.ts'
import { days, hours, later } from '../../../clock.ts'
import type { DeclineCode } from '../../../integrations/payment-gateway/port.ts'

/** When a reserved session is paid, before its start. */
export const payment = {
  taken: takenAhead,
  /** A card without enough money is tried once more. */
  retried: hours(36),
  due: hours(24),
  /** The mail about it, before it is taken. */
  announced: hours(24),
}

/** A card that cannot be charged is reported so long before. */
export const reportedAhead = days(10)

/** Until when there is time to pay on the page, from the moment that the money could be taken. */
const window = payment.taken - payment.due

export type PaymentPlan = { payAt: Date; payBy: Date }

/**
 * When the money of a session is taken and until when it can be paid: two days and one day before the start. Of a session
 * that is reserved or moved later than that, at once, and within a day or until it starts.
 */
export function paymentPlan(startsAt: Date, now: Date): PaymentPlan {
  const payAt = Math.max(later(startsAt, -payment.taken).getTime(), now.getTime())
  return {
    payAt: new Date(Math.min(payAt, startsAt.getTime())),
    payBy: new Date(Math.min(payAt + window, startsAt.getTime())),
  }
}

type Planned = {
  state: AppointmentState
  starts_at: Date | null
  pay_at: Date | null
  pay_by: Date | null
  charge_at: Date | null
  pay_failures: number
}

/** How the payment of a reserved session stands, unless one is under way. */
export function paymentDue({
  charge_at,
  pay_failures,
}: Pick<Planned, 'charge_at' | 'pay_failures'>): PaymentDue {
  if (charge_at === null) return pay_failures > 0 ? 'needed' : 'open'
  return pay_failures > 0 ? 'retrying' : 'planned'
}

/** Until when a reserved session can be skipped or moved free of charge: until its money is taken, or can no longer be. */
export function freeUntil({ pay_at, pay_by }: Pick<Planned, 'pay_at' | 'pay_by'>, now: Date): Date | null {
  return pay_at && pay_at > now ? pay_at : pay_by
}

/** What the sweep does with a reserved session now. */
export type SweepStep = 'nothing' | 'charge' | 'ask' | 'cancel'

/**
 * `ask`: no attempt was made while there was time, so the client is asked to pay on the page until the start. A session
 * that has begun is never charged.
 */
export function sweepStep(row: Planned, now: Date): SweepStep {
  const { starts_at: startsAt, pay_by: payBy, charge_at: chargeAt, pay_failures: failures } = row
  if (row.state !== 'reserved' || !startsAt || !payBy) return 'nothing'
  if (now >= startsAt) return 'cancel'
  const isMissed = chargeAt !== null && failures === 0
  if (now >= payBy) return isMissed ? 'ask' : 'cancel'
  if (chargeAt === null || now < chargeAt) return 'nothing'
  // Reserved for sooner than that: charged whenever the client agreed to it.
  const isNear = row.pay_at !== null && row.pay_at > later(startsAt, -payment.due)
  return now < later(startsAt, -payment.due) || isNear ? 'charge' : 'ask'
}

/** Why a charge without the client failed; `authentication_required` where the bank wants to ask the client. */
export type ChargeFailure = DeclineCode | 'authentication_required' | 'no_card'

/** The next attempt without the client; null if the client has to pay on the page. */
export function nextChargeAt(
  reason: ChargeFailure,
  { startsAt, failures }: { startsAt: Date; failures: number },
  now: Date,
): Date | null {
  if (reason !== 'insufficient_funds' || failures > 0) return null
  const at = later(startsAt, -payment.retried)
  return at > now ? at : null
}

/** Whether a client can pay for a reserved session on the page now. */
export function isPayable(row: Planned, now: Date): 'yes' | 'too_early' | 'too_late' | 'no' {
  if (row.state !== 'reserved' || !row.starts_at || !row.pay_at || !row.pay_by) return 'no'
  if (now < row.pay_at) return 'too_early'
  return now < row.pay_by && now < row.starts_at ? 'yes' : 'too_late'
}

/** Whether a practitioner may keep a session unpaid until it starts: its payment is due and it has not begun. */
export function mayPayLate(row: Omit<Planned, 'charge_at' | 'pay_failures'>, now: Date): boolean {
  const { state, starts_at: startsAt, pay_at: payAt, pay_by: payBy } = row
  if (state !== 'reserved' || !startsAt || !payAt || !payBy) return false
  return now >= payAt && now < startsAt && payBy < startsAt
}

/** The ids of the reserved ones of some appointments. */
export const unpaidOf = (rows: readonly { id: string; state: AppointmentState }[]): string[] =>
  rows.filter(({ state }) => state === 'reserved').map(({ id }) => id)

/** Whether a session at this time is paid at once, since its money would have been taken by now. */
export const isDueAtOnce = (startsAt: Date, now: Date): boolean => later(startsAt, -payment.taken) <= now
