import { expect, test } from 'vitest'
import { bankReturnsLabel } from './bank-returns.ts'

test('no sum is promised for a payment that the bank decides about, or has taken back', () => {
  expect(bankReturnsLabel({ dispute: 'open' })).toContain('from your bank or from us')
  expect(bankReturnsLabel({ dispute: 'lost' })).toContain('only what it has not')
  expect(bankReturnsLabel({ dispute: 'won' })).toBeUndefined()
  expect(bankReturnsLabel({ dispute: null })).toBeUndefined()
})
