import { expect, test } from 'vitest'
import { extendedHold } from './bookings.rules.ts'

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
