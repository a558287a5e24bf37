import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { waitlistEntryStates, waitlistOfferStates } from '#contract/waitlist/waitlist.ts'
import { hours, minutes } from '../../clock.ts'
import { zoneOf } from '../availability/zone.ts'
import { planOffer, startedTurnEnd, suits, turnEnd, turnLength } from './turns.ts'
import {
  assertEntryStep,
  assertOfferStep,
  fromWireWindows,
  initials,
  inOrder,
  isLive,
  isPausedAfter,
  mayBeginRound,
  roundOf,
  toWireWindows,
  type Wishes,
} from './waitlist.rules.ts'

const london = zoneOf('Europe/London')
const at = (text: string) => new Date(text)

test('the length of a turn follows the time to the start', () => {
  expect(turnLength(hours(72) + 1)).toBe(hours(4))
  expect(turnLength(hours(72))).toBe(hours(1))
  expect(turnLength(hours(24))).toBe(hours(1))
  expect(turnLength(hours(24) - 1)).toBe(minutes(20))
  expect(turnLength(hours(4))).toBe(minutes(20))
  expect(turnLength(hours(4) - 1)).toBeUndefined()
})

describe('quiet hours', () => {
  test.each([
    ['within the day', '2026-06-01T09:00:00Z', hours(4), '2026-06-01T13:00:00Z'],
    ['up to the last minute before 21:00', '2026-06-01T16:00:00Z', hours(4), '2026-06-01T20:00:00Z'],
    ['over the night', '2026-06-01T18:30:00Z', hours(4), '2026-06-02T09:30:00Z'],
    ['begun at night', '2026-06-01T23:10:00Z', minutes(60), '2026-06-02T08:00:00Z'],
    ['begun at 21:00 sharp', '2026-06-01T20:00:00Z', minutes(20), '2026-06-02T07:20:00Z'],
    // The clocks go forward at 01:00 UTC on 29 March 2026: the night has ten hours.
    [
      'over the night of the clock change in spring',
      '2026-03-28T20:00:00Z',
      hours(4),
      '2026-03-29T10:00:00Z',
    ],
    // They go back at 01:00 UTC on 25 October 2026: the night has twelve.
    [
      'over the night of the clock change in autumn',
      '2026-10-24T18:00:00Z',
      hours(4),
      '2026-10-25T10:00:00Z',
    ],
  ])('a turn %s ends at the right instant', (_, begin, turn, end) => {
    expect(new Date(turnEnd(at(begin).getTime(), turn, london)).toISOString()).toBe(at(end).toISOString())
  })

  test('a turn ends within 16 hours of its offer in every zone and at every clock change', () => {
    const first = Date.UTC(2026, 0, 1)
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 5 * 365 * 24 * 60 }),
        fc.constantFrom('Europe/London', 'America/New_York', 'Australia/Sydney'),
        fc.integer({ min: 4 * 60, max: 60 * 24 * 60 }),
        (minute, name, lead) => {
          const now = new Date(first + minutes(minute))
          const zone = zoneOf(name)
          const startsAt = new Date(now.getTime() + minutes(lead))
          const bookableUntil = new Date(startsAt.getTime() - hours(1))
          const plan = planOffer({ startsAt, bookableUntil }, now, zone)
          if (plan.kind === 'broadcast') return
          expect(plan.holdUntil.getTime() - now.getTime()).toBeLessThanOrEqual(hours(16))
          expect(plan.holdUntil.getTime() + minutes(12)).toBeLessThan(bookableUntil.getTime())
          for (const waited of [0, minutes(10)]) {
            const end = startedTurnEnd({ madeAt: now, startsAt }, new Date(now.getTime() + waited), zone)
            expect(end.getTime()).toBeLessThanOrEqual(plan.holdUntil.getTime())
            expect(end.getTime()).toBeGreaterThan(now.getTime() + waited)
          }
        },
      ),
      { numRuns: 3000 },
    )
  })
})

describe('an offer', () => {
  const now = at('2026-06-01T19:50:00Z')
  const plan = (startsAt: string, leadHours = 1) =>
    planOffer(
      { startsAt: at(startsAt), bookableUntil: new Date(at(startsAt).getTime() - hours(leadHours)) },
      now,
      london,
    )

  test('is a broadcast if its time starts within four hours', () => {
    expect(plan('2026-06-01T23:00:00Z')).toEqual({ kind: 'broadcast' })
  })
  test('is a broadcast if quiet hours leave less than twelve to the start', () => {
    expect(plan('2026-06-02T15:00:00Z')).toEqual({ kind: 'broadcast' })
    expect(plan('2026-06-02T21:00:00Z').kind).toBe('turn')
  })
  test("is a broadcast if its turn would end after the practitioner's lead time limit", () => {
    expect(plan('2026-06-05T15:00:00Z', 24).kind).toBe('turn')
    expect(plan('2026-06-05T15:00:00Z', 90)).toEqual({ kind: 'broadcast' })
  })
  test("of a turn leaves others a moment to book the time, even if the bank's question extends the hold", () => {
    const morning = at('2026-06-01T08:00:00Z')
    const until = (bookableUntil: string) =>
      planOffer({ startsAt: at('2026-06-03T09:00:00Z'), bookableUntil: at(bookableUntil) }, morning, london)
    // Held until 09:10, ten minutes longer for the bank, and two more that keep the time from others.
    expect(until('2026-06-01T09:22:00Z')).toEqual({ kind: 'broadcast' })
    expect(until('2026-06-01T09:22:00.001Z')).toEqual({ kind: 'turn', holdUntil: at('2026-06-01T09:10:00Z') })
  })
  test('of a turn holds the time for ten minutes more than the turn', () => {
    const morning = at('2026-06-01T08:00:00Z')
    const startsAt = at('2026-06-03T09:00:00Z')
    const made = planOffer({ startsAt, bookableUntil: at('2026-06-03T08:00:00Z') }, morning, london)
    expect(made).toEqual({ kind: 'turn', holdUntil: at('2026-06-01T09:10:00Z') })
  })
})

describe('rounds', () => {
  const freedAt = at('2026-06-01T08:00:00Z')
  const startsAt = at('2026-06-05T08:00:00Z')
  test.each([
    [1, '2026-06-04T08:00:00Z', true],
    [2, '2026-06-02T07:59:59Z', true],
    [2, '2026-06-02T08:00:00Z', false],
    [3, '2026-06-01T12:00:00Z', true],
    [4, '2026-06-01T12:00:00Z', false],
  ])('number %i begins at %s: %s', (round, now, allowed) => {
    expect(mayBeginRound({ round, freedAt, startsAt }, at(now))).toBe(allowed)
  })

  test('go on after an offer that ended a moment ago, and begin anew after a booking or a public time', () => {
    const closedAt = at('2026-06-01T12:00:00Z')
    const last = { kind: 'turn', round: 2, freedAt, closedAt, state: 'expired' } as const
    const soon = at('2026-06-01T12:01:00Z')
    expect(roundOf(last, soon)).toEqual({ round: 3, freedAt })
    expect(roundOf({ ...last, state: 'taken' }, soon)).toEqual({ round: 1, freedAt: soon })
    // Booked by another client, or on its own page.
    expect(roundOf({ ...last, kind: 'broadcast', state: 'withdrawn' }, soon)).toEqual({
      round: 1,
      freedAt: soon,
    })
    expect(roundOf(undefined, soon)).toEqual({ round: 1, freedAt: soon })
    const lastMoment = at('2026-06-01T12:10:00Z')
    expect(roundOf(last, lastMoment)).toEqual({ round: 3, freedAt })
    const later = at('2026-06-01T12:10:00.001Z')
    expect(roundOf(last, later)).toEqual({ round: 1, freedAt: later })
  })
})

describe('a time suits', () => {
  const wishes: Wishes = {
    service_id: 1,
    appointment_type: 'online',
    windows: fromWireWindows([{ weekdays: [1, 2], from: '08:00', to: '12:00' }]),
    earliest: null,
    latest: null,
    lead_minutes: 120,
  }
  const now = at('2026-05-31T12:00:00Z').getTime()
  const fits = (startsAt: string, more: Partial<Wishes> = {}) =>
    suits({ ...wishes, ...more }, london, at(startsAt).getTime(), now)

  test('by weekday and hour on the clock of the entry', () => {
    // 08:00 in London is 07:00 UTC in summer.
    expect(fits('2026-06-01T07:00:00Z')).toBe(true)
    expect(fits('2026-06-01T06:00:00Z')).toBe(false)
    expect(fits('2026-06-01T11:00:00Z')).toBe(false)
    expect(fits('2026-06-03T08:00:00Z')).toBe(false)
  })
  test('by date and lead time', () => {
    expect(fits('2026-06-01T07:00:00Z', { earliest: '2026-06-02' })).toBe(false)
    expect(fits('2026-06-02T07:00:00Z', { earliest: '2026-06-02', latest: '2026-06-02' })).toBe(true)
    expect(fits('2026-06-08T07:00:00Z', { latest: '2026-06-07' })).toBe(false)
    expect(fits('2026-06-01T07:00:00Z', { lead_minutes: 10_080 })).toBe(false)
  })
})

test('the longest waiting comes first, and those with a session that day last', () => {
  const row = (id: string, joined: string, hasSessionThatDay = false) => ({
    id,
    joinedAt: at(joined),
    hasSessionThatDay,
  })
  const order = inOrder([
    row('late', '2026-05-03T00:00:00Z'),
    row('served', '2026-05-01T00:00:00Z', true),
    row('early', '2026-05-02T00:00:00Z'),
  ])
  expect(order.map(({ id }) => id)).toEqual(['early', 'late', 'served'])
})

test('the longest waiting comes first in any order of ids, which decide between equals alone', () => {
  const ids = (...rows: [id: string, joined: string][]) =>
    inOrder(rows.map(([id, joined]) => ({ id, joinedAt: at(joined), hasSessionThatDay: false }))).map(
      ({ id }) => id,
    )
  expect(ids(['a', '2026-05-03T00:00:00Z'], ['b', '2026-05-02T00:00:00Z'])).toEqual(['b', 'a'])
  const same = '2026-05-02T00:00:00Z'
  expect(ids(['a', same], ['c', same], ['b', same])).toEqual(['a', 'b', 'c'])
  expect(ids(['c', same], ['b', same], ['a', same])).toEqual(['a', 'b', 'c'])
})

test('an entry keeps its place until it is booked or ends, and is paused at the second missed turn', () => {
  expect(waitlistEntryStates.filter(isLive).toSorted()).toEqual(['offered', 'paused', 'waiting'])
  expect([0, 1, 2, 3].map(isPausedAfter)).toEqual([false, false, true, true])
})

test('initials hold no name', () => {
  expect(initials('Alex', 'Morgan')).toBe('A. M.')
  expect(initials('élise', '')).toBe('É.')
})

test('windows read back as they were sent, with each day once and in order', () => {
  const sent = [{ weekdays: [1, 5], from: '09:30', to: '24:00' }]
  expect(toWireWindows(fromWireWindows(sent))).toEqual(sent)
  expect(fromWireWindows([{ ...sent[0]!, weekdays: [5, 1, 5] }])[0]?.weekdays).toEqual([1, 5])
})

test('a state that has ended is left by no transition', () => {
  for (const to of waitlistEntryStates) {
    expect(() => assertEntryStep('ended', to)).toThrow()
    expect(() => assertEntryStep('booked', to)).toThrow()
  }
  for (const from of waitlistOfferStates) {
    if (from === 'open') continue
    for (const to of waitlistOfferStates) expect(() => assertOfferStep(from, to)).toThrow()
  }
  expect(() => assertEntryStep('waiting', 'offered')).not.toThrow()
})
