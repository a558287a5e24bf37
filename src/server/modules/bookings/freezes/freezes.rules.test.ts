import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hours, later } from '#server/clock.ts'
import { assertFreezeStep, frozenUntil } from '../bookings.rules.ts'

test('the freeze of a session ends after 72 hours, or two hours before the start, and never before it began', () => {
  const now = new Date('2026-06-01T08:00:00Z')
  fc.assert(
    fc.property(fc.integer({ min: -hours(5), max: hours(24 * 60) }), (ahead) => {
      const startsAt = later(now, ahead)
      const until = frozenUntil(startsAt, 'freeze', now)
      const latest = Math.min(now.getTime() + hours(72), startsAt.getTime() - hours(2))
      expect(until.getTime()).toBe(Math.max(latest, now.getTime()))
      expect(frozenUntil(startsAt, 'cancel', now)).toEqual(now)
    }),
  )
})

test('a cancelled session is neither frozen nor restored', () => {
  expect(() => assertFreezeStep('cancelled', 'frozen')).toThrow('cannot go')
  expect(() => assertFreezeStep('cancelled', 'as booked')).toThrow('cannot go')
  expect(() => assertFreezeStep('as booked', 'frozen')).not.toThrow()
})
