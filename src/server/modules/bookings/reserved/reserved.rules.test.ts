import { describe, expect, test } from 'vitest'
import { appointmentStates } from '#contract/bookings/bookings.ts'
import { days, hours, later, minutes } from '#server/clock.ts'
import { appointmentLife } from '../bookings.rules.ts'
import {
  freeUntil,
  isDueAtOnce,
  isPayable,
  mayPayLate,
  nextChargeAt,
  paymentDue,
  paymentPlan,
  sweepStep,
} from './reserved.rules.ts'

const startsAt = new Date('2026-06-16T09:00:00Z')
const before = (milliseconds: number) => later(startsAt, -milliseconds)

const row = {
  state: 'reserved' as const,
  starts_at: startsAt,
  pay_at: before(hours(48)),
  pay_by: before(hours(24)),
  charge_at: before(hours(48)) as Date | null,
  pay_failures: 0,
}
const declined = { ...row, charge_at: null, pay_failures: 1 }
const retried = { ...row, charge_at: before(hours(36)), pay_failures: 1 }

describe('when a session of a series is paid', () => {
  test.each([
    ['weeks ahead', days(40), hours(48), hours(24)],
    ['exactly 48 hours ahead', hours(48), hours(48), hours(24)],
    ['30 hours ahead', hours(30), hours(30), hours(6)],
    ['an hour ahead', hours(1), hours(1), 0],
  ])('reserved %s', (_when, ahead, payAt, payBy) => {
    expect(paymentPlan(startsAt, before(ahead))).toEqual({ payAt: before(payAt), payBy: before(payBy) })
  })

  test('it is free until the money is taken, and then until it is due', () => {
    expect(freeUntil(row, before(hours(49)))).toEqual(row.pay_at)
    expect(freeUntil(row, before(hours(48)))).toEqual(row.pay_by)
  })

  test('how it stands follows from the next attempt and the failures', () => {
    const untried = { ...row, charge_at: null }
    expect([row, retried, declined, untried].map(paymentDue)).toEqual([
      'planned',
      'retrying',
      'needed',
      'open',
    ])
  })
})

describe('what the sweep does', () => {
  test.each([
    ['before the money is due', row, hours(48) + 1, 'nothing'],
    ['at the moment that it is due', row, hours(48), 'charge'],
    ['within the day', row, hours(24) + 1, 'charge'],
    ['first looking a day before the start', row, hours(24), 'ask'],
    ['first looking an hour before the start', row, hours(1), 'ask'],
    ['first looking at the start', row, 0, 'cancel'],
    ['first looking days later', row, -days(3), 'cancel'],
    ['declined, before the deadline', declined, hours(24) + 1, 'nothing'],
    ['declined, at the deadline', declined, hours(24), 'cancel'],
    ['declined, kept by the practitioner', { ...declined, pay_by: startsAt }, hours(1), 'nothing'],
    ['declined, kept, at the start', { ...declined, pay_by: startsAt }, 0, 'cancel'],
    ['before the second attempt', retried, hours(36) + 1, 'nothing'],
    ['at the second attempt', retried, hours(36), 'charge'],
    ['the second attempt missed', retried, hours(24), 'cancel'],
    ['kept before any attempt', { ...row, pay_by: startsAt }, hours(23), 'ask'],
    ['reserved 20 hours ahead', { ...row, ...near(hours(20)) }, hours(20), 'charge'],
    ['paid', { ...row, state: 'confirmed' as const }, hours(1), 'nothing'],
    ['cancelled', { ...row, state: 'cancelled' as const }, 0, 'nothing'],
  ] as const)('%s', (_when, session, ahead, step) => {
    expect(sweepStep(session, before(ahead))).toBe(step)
  })

  function near(ahead: number) {
    const { payAt, payBy } = paymentPlan(startsAt, before(ahead))
    return { pay_at: payAt, pay_by: payBy, charge_at: payAt }
  }

  test('never charges outside 48 hours to the start, for any plan and moment', () => {
    for (let reserved = 0; reserved <= 100; reserved++) {
      const { payAt, payBy } = paymentPlan(startsAt, before(hours(reserved)))
      expect(payAt <= payBy && payBy <= startsAt).toBe(true)
      for (let at = reserved * 60; at >= -600; at -= 30) {
        const now = before(minutes(at))
        const step = sweepStep({ ...row, pay_at: payAt, pay_by: payBy, charge_at: payAt }, now)
        if (step === 'charge') expect([now >= before(hours(48)), now < startsAt]).toEqual([true, true])
        if (now >= startsAt) expect(step).toBe('cancel')
      }
    }
  })
})

describe('a failed charge', () => {
  test('is tried once more only where there was not enough money', () => {
    const at = before(hours(48))
    expect(nextChargeAt('insufficient_funds', { startsAt, failures: 0 }, at)).toEqual(before(hours(36)))
    expect(nextChargeAt('insufficient_funds', { startsAt, failures: 1 }, at)).toBeNull()
    expect(nextChargeAt('insufficient_funds', { startsAt, failures: 0 }, before(hours(36)))).toBeNull()
    for (const reason of ['card_declined', 'expired_card', 'authentication_required', 'no_card'] as const)
      expect(nextChargeAt(reason, { startsAt, failures: 0 }, at)).toBeNull()
  })
})

test.each([
  [hours(49), 'too_early', false],
  [hours(48), 'yes', true],
  [hours(25), 'yes', true],
  [hours(24), 'too_late', true],
  [0, 'too_late', false],
] as const)('%i ms before the start it is payable: %s; kept unpaid: %s', (ahead, payable, late) => {
  expect(isPayable(row, before(ahead))).toBe(payable)
  expect(mayPayLate(row, before(ahead))).toBe(late)
})

test('a session is neither payable nor kept unpaid once it is paid, nor kept twice', () => {
  const paid = { ...row, state: 'confirmed' as const }
  expect(isPayable(paid, before(hours(25)))).toBe('no')
  expect(mayPayLate(paid, before(hours(25)))).toBe(false)
  expect(mayPayLate({ ...row, pay_by: startsAt }, before(hours(25)))).toBe(false)
})

test('a session is paid at once where its money would have been taken by now', () => {
  expect([hours(48) + 1, hours(48)].map((ahead) => isDueAtOnce(startsAt, before(ahead)))).toEqual([
    false,
    true,
  ])
})

test('a reserved session is only confirmed or cancelled, and comes from no other state', () => {
  expect(
    appointmentLife.filter(({ from }) => from === 'reserved').map(({ to, by }) => `${to} by ${by}`),
  ).toEqual([
    'confirmed by system',
    'confirmed by client',
    'cancelled by client',
    'cancelled by practitioner',
    'cancelled by admin',
    'cancelled by system',
  ])
  expect(appointmentLife.filter(({ to }) => to === 'reserved')).toEqual([])
  expect(appointmentStates).toContain('reserved')
})
