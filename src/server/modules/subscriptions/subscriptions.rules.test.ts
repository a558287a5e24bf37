import { describe, expect, test } from 'vitest'
import { days, later } from '../../clock.ts'
import {
  afterFailure,
  graceUntil,
  invoiceStatus,
  lapsesAt,
  nextStep,
  retryDays,
  statusOf,
  subscribedUntil,
  subscriptionTransitions,
  type SubscriptionState,
} from './subscriptions.rules.ts'

const now = new Date('2026-06-01T09:00:00Z')
const states = Object.keys(subscriptionTransitions) as SubscriptionState[]

describe('the step that is due', () => {
  const isDue: Record<SubscriptionState, [approved: string, other: string]> = {
    starting: ['nothing', 'nothing'],
    waiting: ['charge', 'nothing'],
    active: ['charge', 'pause'],
    past_due: ['charge', 'pause'],
    cancelling: ['end', 'end'],
    lapsed: ['nothing', 'nothing'],
    ended: ['nothing', 'nothing'],
  }

  test.each(states)('of a subscription that is %s charges no practitioner who is not approved', (state) => {
    const subscription = { state, due_at: now }
    expect([true, false].map((isApproved) => nextStep(subscription, isApproved, now))).toEqual(isDue[state])
  })

  test.each(states.filter((state) => state !== 'waiting'))(
    'of a subscription that is %s is none before its time, or without one',
    (state) => {
      for (const due_at of [later(now, 1), null]) {
        expect(nextStep({ state, due_at }, true, now)).toBe('nothing')
        expect(nextStep({ state, due_at }, false, now)).toBe('nothing')
      }
    },
  )

  test('of a subscription that waits is the charge once its profile is approved, at any time', () => {
    for (const due_at of [later(now, 1), null]) {
      expect(nextStep({ state: 'waiting', due_at }, true, now)).toBe('charge')
    }
  })
})

describe('a payment that fails', () => {
  test('is retried on the days of the list, counted from the first failure, and lapses with the last of them', () => {
    const attempts = retryDays.map((_, index) => afterFailure(index + 1, now))
    expect(attempts).toEqual(
      [1, 3, 7].map((count) => ({ state: 'past_due', dueAt: later(now, days(count)) })),
    )
    expect(afterFailure(retryDays.length + 1, now)).toEqual({ state: 'lapsed' })
    expect(lapsesAt(now)).toEqual(later(now, days(7)))
  })

  test('leaves the profile listed for a day longer than it is retried', () => {
    expect(graceUntil(now)).toEqual(later(lapsesAt(now), days(1)))
    expect(subscribedUntil('active', now)).toEqual(graceUntil(now))
    expect(subscribedUntil('cancelling', now)).toEqual(now)
  })
})

test('a subscription that has not begun, or has lapsed, is none to the API', () => {
  expect(states.filter((state) => statusOf(state) === undefined)).toEqual(['starting', 'lapsed'])
})

test.each([
  ['paid', 0, null],
  ['paid', 0, 'won'],
  ['partly_refunded', 1, null],
  ['partly_refunded', 2999, 'won'],
  ['refunded', 3000, null],
  ['disputed', 0, 'open'],
  ['disputed', 3000, 'open'],
  ['taken_back', 0, 'lost'],
  ['taken_back', 1000, 'lost'],
] as const)('an invoice is %s with %i pence of £30 refunded and the dispute %s', (status, pence, dispute) => {
  expect(invoiceStatus({ amount_pence: 3000, refunded_pence: pence, dispute_state: dispute })).toBe(status)
})
