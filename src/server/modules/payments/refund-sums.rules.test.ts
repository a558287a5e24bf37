import { expect, test } from 'vitest'
import { refundedForChange, sumRefunds } from './refund-sums.rules.ts'

type Refund = Parameters<typeof sumRefunds>[0][number]
const refund = (facts: Partial<Refund>): Refund => ({
  appointment_id: 'one',
  amount_pence: 1000,
  state: 'succeeded',
  reason: 'cancelled',
  is_open_failure: false,
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
    ['one', { amountPence: 1200, changePence: 200, state: 'succeeded' }],
    ['two', { amountPence: 1000, changePence: 0, state: 'succeeded' }],
  ])
})

test('a refund that brings nothing, or was dealt with once it failed, is none', () => {
  expect(sumOf({ state: 'withdrawn' }, { state: 'failed' }, { amount_pence: 0 })).toBeUndefined()
  expect(sumOf({ state: 'withdrawn' }, {}, { state: 'failed' })?.amountPence).toBe(1000)
})

test('several refunds stand as the one in the worst state, in any order', () => {
  const failed = { state: 'failed', is_open_failure: true } as const
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
