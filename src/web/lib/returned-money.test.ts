import { expect, test } from 'vitest'
import { returnedMoneyLabel } from './returned-money.ts'

test('a payment that stands as it was paid has no words', () => {
  expect(returnedMoneyLabel({ refund: null, dispute: null, cancelled_by: null })).toBeUndefined()
  expect(returnedMoneyLabel({ refund: null, dispute: 'won', cancelled_by: null })).toBeUndefined()
})

test('a refund that came back from the bank is never shown as returned', () => {
  const words = returnedMoneyLabel({
    refund: { amount: 60, state: 'failed' },
    dispute: null,
    cancelled_by: null,
  })
  expect(words).toContain('£60 did not reach your card')
  expect(words).not.toContain('was sent back')
})

test('of a refund that came back in part, only that part did not reach the card', () => {
  const refund = { amount: 80, failed: 20, state: 'failed' as const }
  expect(returnedMoneyLabel({ refund, dispute: null, cancelled_by: null })).toBe(
    '£20 did not reach your card: your bank sent it back. We will pay it to you in another way.',
  )
})

test.each([
  [{ amount: 60, by_transfer: 60, state: 'succeeded' }, '£60 was paid to you by bank transfer.'],
  [
    { amount: 60, on_change: 20, by_transfer: 60, state: 'succeeded' },
    '£60 was paid to you by bank transfer.',
  ],
  [
    { amount: 48, by_transfer: 30, state: 'succeeded' },
    '£18 was sent back to your card, and £30 was paid to you by bank transfer.',
  ],
  [
    { amount: 48, by_transfer: 30, state: 'requested' },
    '£18 is going back to your card, and £30 was paid to you by bank transfer.',
  ],
] as const)('a refund that was paid in another way is not said to be on the card: %j', (refund, words) => {
  expect(returnedMoneyLabel({ refund, dispute: null, cancelled_by: 'client' })).toBe(words)
})

test('a dispute goes before a refund', () => {
  const refund = { amount: 60, state: 'requested' as const }
  expect(returnedMoneyLabel({ refund, dispute: 'open', cancelled_by: null })).toContain('Your bank decides')
  expect(returnedMoneyLabel({ refund, dispute: 'lost', cancelled_by: null })).toBe(
    'Your bank has taken this payment back for you.',
  )
  expect(returnedMoneyLabel({ refund, dispute: null, cancelled_by: null })).toBe(
    '£60 is going back to your card.',
  )
})

test.each([
  [
    'client',
    'succeeded',
    '£90 was sent back to your card: £40 when you changed it and £50 when you cancelled it.',
  ],
  [
    'client',
    'requested',
    '£90 is going back to your card: £40 when you changed it and £50 when you cancelled it.',
  ],
  [
    'practitioner',
    'succeeded',
    '£90 was sent back to your card: £40 when you changed it and £50 when it was cancelled.',
  ],
  [null, 'succeeded', '£90 was sent back to your card: £40 when you changed it and £50 later.'],
] as const)(
  'a refund for a change and another afterwards are named apart: %s, %s',
  (cancelled_by, state, words) => {
    const refund = { amount: 90, on_change: 40, state }
    expect(returnedMoneyLabel({ refund, dispute: null, cancelled_by })).toBe(words)
  },
)

test('a refund for a change alone says so', () => {
  const refund = { amount: 40, on_change: 40, state: 'succeeded' as const }
  const words = returnedMoneyLabel({ refund, dispute: null, cancelled_by: null })
  expect(words).toBe('£40 was sent back to your card when you changed it.')
})
