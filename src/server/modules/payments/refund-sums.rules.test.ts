import { expect, test } from 'vitest'
import { refundedAgain, refundedForChange, sumRefunds } from './refund-sums.rules.ts'

type Refund = Parameters<typeof sumRefunds>[0][number]
const refund = (facts: Partial<Refund>): Refund => ({
  appointment_id: 'one',
  amount_pence: 1000,
  state: 'succeeded',
  reason: 'cancelled',
  is_open_failure: false,
  payment_intent_id: 'payment',
  rest_pence: 0,
  ...facts,
})
const sumOf = (...refunds: Partial<Refund>[]) => sumRefunds(refunds.map(refund)).get('one')

test('refunds are summed by their appointments, what a change brought apart', () => {
  const sums = sumRefunds([
    refund({}),
    refund({ appointment_id: 'two', state: 'paid_otherwise' }),
    refund({ amount_pence: 200, reason: refundedForChange }),
  ])
  expect([...sums]).toEqual([
    ['one', { amountPence: 1200, changePence: 200, failedPence: 0, transferredPence: 0, state: 'succeeded' }],
    [
      'two',
      { amountPence: 1000, changePence: 0, failedPence: 0, transferredPence: 1000, state: 'succeeded' },
    ],
  ])
})

test('a refund that brings nothing, or was dealt with once it failed, is none', () => {
  expect(sumOf({ state: 'withdrawn' }, { state: 'failed' }, { amount_pence: 0 })).toBeUndefined()
  expect(sumOf({ state: 'withdrawn' }, {}, { state: 'failed' })?.amountPence).toBe(1000)
})

test('several refunds stand as the one in the worst state, in any order', () => {
  const failed = { state: 'failed', is_open_failure: true, rest_pence: 1000 } as const
  const requested = { state: 'requested' } as const
  for (const [one, other, state] of [
    [failed, requested, 'failed'],
    [failed, {}, 'failed'],
    [requested, {}, 'requested'],
  ] as const) {
    expect(sumOf(one, other)).toMatchObject({ amountPence: 2000, state })
    expect(sumOf(other, one)).toMatchObject({ amountPence: 2000, state })
  }
})

test('what failed is summed apart, as far as the client does not have it back in another way', () => {
  const failed = { state: 'failed', is_open_failure: true } as const
  const second = { payment_intent_id: 'second payment', amount_pence: 200, rest_pence: 200 }
  for (const [refunds, amountPence, failedPence, state] of [
    [[failed, {}], 1000, 0, 'succeeded'],
    [[{ ...failed, rest_pence: 700 }, { amount_pence: 300 }], 1000, 700, 'failed'],
    [[{}, { ...failed, ...second }], 1200, 200, 'failed'],
    // Two refunds of one payment.
    [[failed, failed].map((each) => ({ ...each, rest_pence: 1500 })), 1500, 1500, 'failed'],
  ] as const)
    expect(sumOf(...refunds)).toMatchObject({ amountPence, failedPence, state })
  expect(sumOf(failed)).toBeUndefined()
})

test('a refund makes the oldest failed one of its amount again that has a discount, each once', () => {
  const change = { reason: refundedForChange, discount_pence: 200 }
  const open = { ...change, state: 'failed', is_open_failure: true } as const
  const again = { discount_pence: 200 }
  const withdrawn = { ...again, state: 'withdrawn' } as const
  const cases: [Partial<Refund & { discount_pence: number }>[], number | undefined][] = [
    [[], undefined],
    [[change], undefined],
    [[open], 0],
    [[{ ...open, discount_pence: -200 }], 0],
    [[{ ...open, discount_pence: 0 }], undefined],
    [[{ ...open, amount_pence: 900 }], undefined],
    [[{ ...open, is_open_failure: false }], undefined],
    [[open, again], undefined],
    [[again, open], 1],
    [[open, withdrawn], 0],
    [[open, change], 0],
    [[open, open, again], 0],
    [[open, open, again, again], undefined],
    // The one that was made again has failed too.
    [[open, { ...open, ...again, reason: 'again' }], 1],
    [[open, { ...open, ...again, reason: 'again' }, again], undefined],
  ]
  for (const [facts, at] of cases) {
    const refunds = facts.map((each) => ({ ...refund(each), discount_pence: each.discount_pence ?? 0 }))
    const found = refundedAgain(refunds, 1000)
    expect(found ? refunds.indexOf(found) : undefined, JSON.stringify(facts)).toBe(at)
  }
})
