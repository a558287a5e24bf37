import { expect, test } from 'vitest'
import { changedPrice, extendedHold, isRefundable, penceSent, priceOf } from './bookings.rules.ts'

const at = (time: string) => new Date(`2026-06-01T${time}:00Z`)
const hold = {
  state: 'pending',
  booking_type: 'schedule',
  starts_at: at('09:30'),
  hold_expires_at: at('08:10'),
  hold_extended: false,
} as const

test('a hold is extended by ten minutes from its end, not from now', () => {
  expect(extendedHold(hold, at('08:00'))).toEqual(at('08:20'))
  expect(extendedHold(hold, at('08:09'))).toEqual(at('08:20'))
})

test.each([
  ['has ended', hold, '08:10'],
  ['was extended before', { ...hold, hold_extended: true }, '08:05'],
  ['was released', { ...hold, hold_expires_at: null }, '08:05'],
  ['is booked', { ...hold, state: 'confirmed' as const }, '08:05'],
  ['has expired', { ...hold, state: 'expired' as const }, '08:05'],
  ['would last past the start of the session', { ...hold, starts_at: at('08:19') }, '08:05'],
  ['is for help right now', { ...hold, booking_type: 'get-help-right-now' as const }, '08:05'],
])('a hold that %s is not extended', (_, given, now) => {
  expect(extendedHold(given, at(now))).toBeUndefined()
})

test('a hold may be extended up to the start of the session', () => {
  expect(extendedHold({ ...hold, starts_at: at('08:20') }, at('08:05'))).toEqual(at('08:20'))
})

test.each([
  [102, 20, 20],
  [103, 20, 21],
  [149, 1, 1],
  [150, 1, 2],
  [6000, 20, 1200],
  [6000, 0, 0],
])('the discount on %d pence at %d per cent is %d pence', (feePence, percent, discountPence) => {
  expect(priceOf(feePence, percent)).toEqual({ feePence, discountPence, duePence: feePence - discountPence })
})

test('a price grows by what a card can be charged at least, and takes no discount that it never had', () => {
  const full = priceOf(6000, 0)
  const change = (feePence: number) => changedPrice(full, feePence, { percent: 20, mayGrow: true })
  expect([6029, 6030].map(change)).toEqual([full, priceOf(6030, 0)])
})

test('a price on the wire is pence, and a fraction of a penny is no price', () => {
  expect([48, 0.29, 1.1, 60.42].map(penceSent)).toEqual([4800, 29, 110, 6042])
  expect([48.001, 47.999].map(penceSent)).toEqual([Number.NaN, Number.NaN])
})

test('a confirmed session is refunded without cancelling from its start on, an unpaid one never', () => {
  const starts_at = at('09:30')
  const confirmed = (now: string) => isRefundable({ state: 'confirmed', starts_at }, at(now))
  expect(['09:29', '09:30'].map(confirmed)).toEqual([false, true])
  for (const state of ['draft', 'pending', 'reserved', 'expired'] as const)
    expect(isRefundable({ state, starts_at }, at('09:30'))).toBe(false)
})
