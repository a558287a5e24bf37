import { formatPence } from '#contract/money.ts'
import type { Card } from '#contract/payments.ts'
import type { DashboardTask } from '#contract/practitioners/dashboard.ts'
import type { Invoice, Subscription } from '#contract/subscriptions/subscriptions.ts'
import { days, later } from '../../clock.ts'

export type SubscriptionState =
  | 'starting'
  | 'waiting'
  | 'active'
  | 'past_due'
  | 'cancelling'
  | 'lapsed'
  | 'ended'

/**
 * The life of a subscription. `starting`: the first payment is open, and the API shows no subscription. `waiting`: it
 * begins with the next approval of the profile. `active`: paid. `past_due`: a payment failed and is retried.
 * `cancelling`: paid and not renewed.
 */
export const subscriptionTransitions: Record<SubscriptionState, readonly SubscriptionState[]> = {
  starting: ['active', 'waiting', 'ended'],
  waiting: ['active', 'past_due', 'ended'],
  // `active` to `active` is a renewal. A closed profile ends it at once.
  active: ['active', 'past_due', 'cancelling', 'waiting', 'ended'],
  past_due: ['active', 'past_due', 'lapsed', 'ended', 'waiting'],
  cancelling: ['active', 'ended'],
  lapsed: [],
  ended: [],
}

/** Days after the first failure on which a payment is retried. After the last retry the subscription lapses. */
export const retryDays = [1, 3, 7] as const
/** Days that a practitioner stays listed without payment: until shortly after the last retry. */
const graceDays = 8

/** The state after a failed attempt; the first failure is 1. */
export function afterFailure(
  failures: number,
  failedSince: Date,
): { state: 'past_due'; dueAt: Date } | { state: 'lapsed' } {
  const wait = retryDays[failures - 1]
  return wait === undefined
    ? { state: 'lapsed' }
    : { state: 'past_due', dueAt: later(failedSince, days(wait)) }
}

/** When the subscription lapses unless a payment succeeds before. */
export function lapsesAt(failedSince: Date): Date {
  return later(failedSince, days(retryDays[retryDays.length - 1] ?? 0))
}

/**
 * Until when a practitioner counts as subscribed. An active subscription extends beyond the paid month, so that the
 * profile stays listed during a renewal. The end of a subscription sets its own date.
 */
export function subscribedUntil(state: 'active' | 'cancelling', paidUntil: Date): Date {
  return state === 'active' ? later(paidUntil, days(graceDays)) : paidUntil
}

/** End of the listing after a failed renewal. */
export const graceUntil = (failedSince: Date) => later(failedSince, days(graceDays))

/**
 * The step that is due for a subscription. A practitioner who is not approved, or whose vetted facts have lapsed, is not
 * charged: the subscription waits, and a new month starts once they are vetted.
 */
export function nextStep(
  { state, due_at }: { state: SubscriptionState; due_at: Date | null },
  isVetted: boolean,
  now: Date,
): 'nothing' | 'charge' | 'pause' | 'end' {
  if (state === 'waiting') return isVetted ? 'charge' : 'nothing'
  if (due_at === null || due_at > now) return 'nothing'
  if (state === 'active' || state === 'past_due') return isVetted ? 'charge' : 'pause'
  return state === 'cancelling' ? 'end' : 'nothing'
}

/** The subject of a subscription's next payment. A unique index rejects a second live charge for it. */
export const subjectOf = (id: string, payments: number) => `subscription ${id} payment ${payments + 1}`

/** Pence. */
export const videoPrice = { full: 6000, offer: 1000 }
const offerDays = 30

/** The price of a produced video, and the end of the offer for accounts opened at `accountSince`. */
export function videoOffer(accountSince: Date, now: Date): { pricePence: number; offerEndsAt: Date | null } {
  const endsAt = later(accountSince, days(offerDays))
  return now < endsAt
    ? { pricePence: videoPrice.offer, offerEndsAt: endsAt }
    : { pricePence: videoPrice.full, offerEndsAt: null }
}

/**
 * The dashboard task of an approved practitioner: pay a subscription that is past due, or subscribe. No task while the
 * first charge after the approval is under way.
 */
export function subscriptionTask(
  live: { state: SubscriptionState; pricePence: number } | undefined,
  isSubscribed: boolean,
): DashboardTask | undefined {
  const task = { code: 'subscribe', urgency: 'now', due: null } as const
  if (live?.state === 'past_due') {
    return {
      ...task,
      title: 'Pay for your subscription',
      message: `We could not charge ${formatPence(live.pricePence)}. You can pay with this card or another one.`,
      action: { label: 'Pay it now', path: '/therapist/subscription' },
    }
  }
  if (live?.state === 'waiting' || isSubscribed) return undefined
  return {
    ...task,
    title: 'Subscribe to be found',
    message: 'Your profile is approved. Clients see it and book you while your subscription runs.',
    action: { label: 'Enable subscription', path: '/therapist/add-card' },
  }
}

/** How long before it expires the dashboard warns of the card in use. */
const cardWarningMs = days(30)

/**
 * The dashboard's task to add another card, while a subscription that is renewed is paid with one that expires soon. It
 * shares the code of the other task: pages of the release before have no icon for a new one.
 */
export function cardTasks(
  { last4, expiry_month: month, expiry_year: year }: Pick<Card, 'last4' | 'expiry_month' | 'expiry_year'>,
  now: Date,
): DashboardTask[] {
  // A card is good to the end of its month.
  const expiresAt = new Date(Date.UTC(year, month, 1))
  if (expiresAt > later(now, cardWarningMs)) return []
  const isExpired = expiresAt <= now
  const lastDay = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
  return [
    {
      code: 'subscribe',
      urgency: isExpired ? 'now' : 'soon',
      title: isExpired ? 'Your card has expired' : 'Your card expires soon',
      message: `Your subscription is paid with the card ending in ${last4}. Add another card, so that clients can go on finding you.`,
      action: { label: 'Add another card', path: '/therapist/add-card' },
      due: isExpired ? null : lastDay,
    },
  ]
}

/** The status of an invoice after refunds and disputes of its payment. */
export function invoiceStatus(invoice: {
  amount_pence: number
  refunded_pence: number
  dispute_state: 'open' | 'won' | 'lost' | null
}): Invoice['status'] {
  if (invoice.dispute_state === 'open') return 'disputed'
  if (invoice.dispute_state === 'lost') return 'taken_back'
  if (invoice.refunded_pence === 0) return 'paid'
  return invoice.refunded_pence < invoice.amount_pence ? 'partly_refunded' : 'refunded'
}

/** The status on the wire; undefined where the API shows no subscription. */
export function statusOf(state: SubscriptionState): Subscription['status'] | undefined {
  return state === 'starting' || state === 'lapsed' ? undefined : state
}
