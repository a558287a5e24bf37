import { expect, test } from 'vitest'
import { returnedMoneyLabel } from './returned-money.ts'

test('a payment that stands as it was paid has no words', () => {
  expect(returnedMoneyLabel({ refund: null, dispute: null })).toBeUndefined()
  expect(returnedMoneyLabel({ refund: null, dispute: 'won' })).toBeUndefined()
})

test('a refund that came back from the bank is never shown as returned', () => {
  const words = returnedMoneyLabel({ refund: { amount: 60, state: 'failed' }, dispute: null })
  expect(words).toContain('£60 did not reach your card')
  expect(words).not.toContain('went back')
})

test('a dispute goes before a refund', () => {
  const refund = { amount: 60, state: 'requested' as const }
  expect(returnedMoneyLabel({ refund, dispute: 'open' })).toContain('Your bank decides')
  expect(returnedMoneyLabel({ refund, dispute: null })).toBe('£60 is going back to your card.')
})
