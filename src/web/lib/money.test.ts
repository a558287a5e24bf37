import { expect, test } from 'vitest'
import { formatPence } from '#contract/money.ts'
import { formatPounds, poundsToPence } from './money.ts'

test('whole pounds stand without pence, others with both', () => {
  expect([
    formatPence(6000),
    formatPence(5250),
    formatPence(5),
    formatPence(0),
    formatPence(123_456_00),
  ]).toEqual(['£60', '£52.50', '£0.05', '£0', '£123,456'])
  expect(formatPounds(52.5)).toBe('£52.50')
})

test('pounds that binary fractions cannot hold become the right pence', () => {
  expect([1.1, 19.99, 0.29, 4.35, 1.005].map(poundsToPence)).toEqual([110, 1999, 29, 435, 100])
})

test('an amount below zero has a minus sign, and zero has none', () => {
  expect([-6000, -276_050, -0].map(formatPence)).toEqual(['−£60', '−£2,760.50', '£0'])
})
