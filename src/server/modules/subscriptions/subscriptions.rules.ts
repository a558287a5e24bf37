import type { DashboardTask } from '#contract/practitioners/dashboard.ts'
import type { Invoice, Subscription } from '#contract/subscriptions/subscriptions.ts'
import { days, later } from '../../clock.ts'
import { pounds } from './words.ts'

export type SubscriptionState =
  | 'starting'
  | 'waiting'
  | 'active'
  | 'past_due'
  | 'cancelling'
  | 'lapsed'
  | 'ended'

/**
 * The life of a subscription. `starting` is one whose first payment has not come through: as far as anybody is told,
 * there is none yet. `waiting` begins with the next approval of the profile. `active` is paid; `past_due` is not, and
 * tried again; `cancelling` is paid and not renewed.
 */
export const subscriptionTransitions: Record<SubscriptionState, readonly SubscriptionState[]> = {
  starting: ['active', 'waiting', 'ended'],
  waiting: ['active', 'past_due', 'ended'],
  // Into itself: renewed. Ended at once: the profile was closed.
  active: ['active', 'past_due', 'cancelling', 'waiting', 'ended'],
  past_due: ['active', 'past_due', 'lapsed', 'ended', 'waiting'],
  cancelling: ['active', 'ended'],
  lapsed: [],
  ended: [],
}

/** Days after the first failure on which a payment is tried again; after the last of them it lapses. */
export const retryDays = [1, 3, 7] as const
/** Days for which somebody stays listed without having paid: the last try and a little more. */
const graceDays = 8

/** What a failed attempt leads to, counting from one. */
export function afterFailure(
  failures: number,
  failedSince: Date,
): { state: 'past_due'; dueAt: Date } | { state: 'lapsed' } {
  const wait = retryDays[failures - 1]
  return wait === undefined
    ? { state: 'lapsed' }
    : { state: 'past_due', dueAt: later(failedSince, days(wait)) }
}

/** When it lapses unless a payment succeeds before. */
export function lapsesAt(failedSince: Date): Date {
  return later(failedSince, days(retryDays[retryDays.length - 1] ?? 0))
}

/**
 * Until when somebody counts as subscribed. While it is renewed, beyond the paid month, so that nobody is hidden for the
 * moment that a renewal takes; whatever ends it says so itself.
 */
export function subscribedUntil(state: 'active' | 'cancelling', paidUntil: Date): Date {
  return state === 'active' ? later(paidUntil, days(graceDays)) : paidUntil
}

/** The same after a failed renewal. */
export const graceUntil = (failedSince: Date) => later(failedSince, days(graceDays))

/**
 * What is to be done with a subscription now. Nobody is charged who is not approved: their subscription waits, and goes
 * on with a month from the day on which they are.
 */
export function nextStep(
  { state, due_at }: { state: SubscriptionState; due_at: Date | null },
  isApproved: boolean,
  now: Date,
): 'nothing' | 'charge' | 'pause' | 'end' {
  if (state === 'waiting') return isApproved ? 'charge' : 'nothing'
  if (due_at === null || due_at > now) return 'nothing'
  if (state === 'active' || state === 'past_due') return isApproved ? 'charge' : 'pause'
  return state === 'cancelling' ? 'end' : 'nothing'
}

/** The one thing that a payment of a subscription is for; a test of the database forbids a second. */
export const subjectOf = (id: string, payments: number) => `subscription ${id} payment ${payments + 1}`

/** Pence. */
export const videoPrice = { full: 6000, offer: 1000 }
const offerDays = 30

/** What a produced video costs now, and until when the offer holds for whoever opened an account then. */
export function videoOffer(accountSince: Date, now: Date): { pricePence: number; offerEndsAt: Date | null } {
  const endsAt = later(accountSince, days(offerDays))
  return now < endsAt
    ? { pricePence: videoPrice.offer, offerEndsAt: endsAt }
    : { pricePence: videoPrice.full, offerEndsAt: null }
}

/**
 * What an approved practitioner has to do about the subscription: pay the one that could not be charged, or begin one. At
 * most one of the two, and nothing while the first charge after the approval is under way.
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
      message: `We could not charge ${pounds(live.pricePence)}. You can pay with this card or another one.`,
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

/** What became of an invoice after it was paid. */
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

/** What is told of a state; nothing where there is no subscription. */
export function statusOf(state: SubscriptionState): Subscription['status'] | undefined {
  return state === 'starting' || state === 'lapsed' ? undefined : state
}
