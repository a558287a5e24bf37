import { expect, test } from 'vitest'
import { swapReturnsLabel } from './swap-labels.ts'

test('a session that gives way is refunded to its card, and its discount is promised only of a card without one', () => {
  expect(swapReturnsLabel({ refund: 60 })).toBe('You get £60 back, to the card you paid with.')
  const discounted = swapReturnsLabel({ refund: 100, discount: 20 })
  expect(discounted).toContain('You get £80 back, to the card you paid with. Its discount goes over')
  expect(discounted).toContain(
    '£20 of the price back once it is booked, unless the card you pay with has had',
  )
  expect(discounted).not.toContain('£100')
})

test('a session that gives way without a payment promises no refund', () => {
  expect(swapReturnsLabel({ refund: 0 })).toBe('There is nothing to give back for it.')
  const unpaid = swapReturnsLabel({ refund: 12, discount: 12 })
  expect(unpaid).toContain('There is nothing to give back for it. Its discount goes over')
  expect(unpaid).not.toContain('the card you paid with')
})

test('a session that gives way names no sum of a payment that its bank decides about', () => {
  expect(swapReturnsLabel({ refund: 0, dispute: 'lost' })).toContain('only what it has not')
  expect(swapReturnsLabel({ refund: 60, dispute: 'open' })).not.toContain('£')
  expect(swapReturnsLabel({ refund: 72, discount: 12, dispute: 'open' })).toContain('£12 of the price')
})
