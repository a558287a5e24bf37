import { describe, expect, test } from 'vitest'
import { dayText, dayNumber, minuteOf, timeText, weekdayOf } from '../../clock.ts'
import { zoneOf } from '../availability/zone.ts'
import { reservedDays } from '#contract/series/series.ts'
import { bookableRange, horizonDays } from '../availability/availability.rules.ts'
import {
  actionsOf,
  assertTransition,
  dateActions,
  datesFrom,
  feeOn,
  firstOn,
  nextInRhythm,
  isOfRhythm,
  isRunUnpaid,
  keptUntil,
  localOf,
  pausedUntil,
  reservedFrom,
  reservedUntil,
  seriesLife,
  startOn,
  stateOfDate,
  waitsFor,
} from './series.rules.ts'

const day = 86_400_000
const zones = ['Europe/London', 'America/New_York', 'Australia/Sydney']

/** Minutes of a day at which clocks may change, and others. */
const minutes = [0, 30, 60, 90, 120, 150, 180, 600, 1439]

describe('a date of the rhythm', () => {
  test.each(zones)('begins at the agreed local time on every day from 2026 to 2030 in %s', (name) => {
    const zone = zoneOf(name)
    let skipped = 0
    let repeated = 0
    for (let at = dayNumber('2026-01-01'); at <= dayNumber('2030-12-31'); at++) {
      const date = dayText(at)
      for (const minute of minutes) {
        const wanted = at * day + minute * 60_000
        const instants = zone.instantsOf(wanted)
        const start = startOn(zone, date, minute).getTime()
        const local = start + zone.offsetAt(start)
        if (instants.length === 0) {
          skipped++
          // The first instant whose clocks show a later time: one minute before, they showed an earlier one.
          expect(local).toBeGreaterThan(wanted)
          expect(start - 60_000 + zone.offsetAt(start - 60_000)).toBeLessThan(wanted)
        } else {
          expect(local).toBe(wanted)
          if (instants.length > 1) {
            repeated++
            expect(start).toBe(Math.min(...instants))
          }
        }
      }
    }
    // Five clock changes each way; the skipped and the repeated hour hold two of the minutes above.
    expect(skipped).toBe(10)
    expect(repeated).toBe(10)
  })

  test.each([
    ['Europe/London', '2027-03-28', '01:30', '2027-03-28T01:00:00.000Z'],
    ['Europe/London', '2027-10-31', '01:30', '2027-10-31T00:30:00.000Z'],
    ['America/New_York', '2028-03-12', '02:00', '2028-03-12T07:00:00.000Z'],
    ['America/New_York', '2028-11-05', '01:30', '2028-11-05T05:30:00.000Z'],
    ['Australia/Sydney', '2029-10-07', '02:30', '2029-10-06T16:00:00.000Z'],
    ['Australia/Sydney', '2030-04-07', '02:30', '2030-04-06T15:30:00.000Z'],
  ])('on the clocks of %s on %s at %s is %s', (zone, date, start, instant) => {
    expect(startOn(zoneOf(zone), date, minuteOf(start)).toISOString()).toBe(instant)
  })

  test('keeps the hour when the clocks change between two of them', () => {
    const zone = zoneOf('Europe/London')
    const dates = datesFrom({ first_on: '2026-10-20', last_on: null, every_weeks: 1 }, '2026-10-20', {
      count: 2,
    })
    expect(dates.map((date) => startOn(zone, date, 600).toISOString())).toEqual([
      '2026-10-20T09:00:00.000Z',
      '2026-10-27T10:00:00.000Z',
    ])
  })

  test('is reserved seventy days ahead, on the clocks of the series', () => {
    const zone = zoneOf('Europe/London')
    expect(reservedFrom(zone, startOn(zone, '2027-05-12', 600))).toBe('2027-03-03')
  })
})

describe('the rhythm', () => {
  test.each([1, 2, 4] as const)('has a date every %d weeks, on one weekday', (every_weeks) => {
    const rhythm = { first_on: '2026-06-09', last_on: null, every_weeks }
    const dates = datesFrom(rhythm, '2026-06-01', { count: 30 })
    expect(dates).toHaveLength(30)
    expect(new Set(dates.map((date) => weekdayOf(dayNumber(date))))).toEqual(new Set([2]))
    expect(dates.slice(1).map((date, index) => dayNumber(date) - dayNumber(dates[index] ?? ''))).toEqual(
      Array.from({ length: 29 }, () => every_weeks * 7),
    )
    expect(datesFrom(rhythm, dates[3] ?? '', { count: 1 })).toEqual([dates[3]])
    expect(dates.every((date) => isOfRhythm(rhythm, date))).toBe(true)
    expect(isOfRhythm(rhythm, '2026-06-02')).toBe(false)
    expect(isOfRhythm(rhythm, '2026-06-10')).toBe(false)
  })

  test('ends with its last day, and with the day asked for', () => {
    const rhythm = { first_on: '2026-06-09', last_on: '2026-06-23', every_weeks: 1 as const }
    expect(datesFrom(rhythm, '2026-06-10', {})).toEqual(['2026-06-16', '2026-06-23'])
    expect(datesFrom(rhythm, '2026-06-10', { until: '2026-06-22' })).toEqual(['2026-06-16'])
    expect(datesFrom({ ...rhythm, last_on: '2026-06-08' }, '2026-06-01', {})).toEqual([])
  })

  test('is read off a session on the clocks of the zone', () => {
    const at = localOf(zoneOf('Australia/Sydney'), new Date('2026-06-08T22:30:00Z'))
    expect(at).toEqual({ onDate: '2026-06-09', weekday: 2, startMinute: 510 })
    expect(timeText(at.startMinute)).toBe('08:30')
    expect(firstOn(2, '2026-06-09')).toBe('2026-06-09')
    expect(firstOn(1, '2026-06-09')).toBe('2026-06-15')
    expect(nextInRhythm('2026-06-09', 2, '2026-06-10')).toBe('2026-06-23')
    expect(nextInRhythm('2026-06-09', 2, '2026-06-01')).toBe('2026-06-23')
    expect(nextInRhythm('2026-06-09', 4, '2026-08-04')).toBe('2026-08-04')
    expect(nextInRhythm('2026-06-09', 4, '2026-08-05')).toBe('2026-09-01')
  })
})

const proposed = {
  state: 'proposed' as const,
  paused_cause: null,
  proposed_by: 'client' as const,
  proposed_until: new Date('2026-06-08T00:00:00Z'),
  accepted_at: null,
  last_on: null,
}
const now = new Date('2026-06-01T00:00:00Z')

describe('a series', () => {
  test('goes through its declared life alone', () => {
    for (const { from, to, by } of seriesLife) if (from) assertTransition(from, to, by)
    expect(() => assertTransition('ended', 'active', 'client')).toThrow('cannot go')
    expect(() => assertTransition('proposed', 'paused', 'system')).toThrow('cannot go')
    expect(() => assertTransition('active', 'paused', 'client')).toThrow('cannot go')
    expect(seriesLife.filter(({ from }) => from === 'ended')).toEqual([])
  })

  test('waits for the practitioner first where clients have to ask, and for neither once its time is over', () => {
    expect(waitsFor(proposed, 'open', now)).toBe('client')
    expect(waitsFor(proposed, 'ask', now)).toBe('practitioner')
    expect(waitsFor({ ...proposed, accepted_at: now }, 'ask', now)).toBe('client')
    expect(waitsFor({ ...proposed, proposed_by: 'practitioner' }, 'ask', now)).toBe('client')
    expect(waitsFor(proposed, 'open', new Date('2026-06-08T00:00:00Z'))).toBeNull()
    expect(waitsFor({ ...proposed, state: 'active' }, 'open', now)).toBeNull()
  })

  test('is agreed to by the client and accepted by the practitioner, and by no other', () => {
    const facts = { waitsFor: 'client' as const, openPriceFrom: null, isSuspended: false, newZone: undefined }
    expect(actionsOf(proposed, 'client', facts)).toMatchObject({ agree: true, accept: false, decline: true })
    expect(actionsOf(proposed, 'practitioner', facts)).toMatchObject({ agree: false, accept: false })
    const asked = { ...facts, waitsFor: 'practitioner' as const }
    expect(actionsOf(proposed, 'practitioner', asked)).toMatchObject({ accept: true })
    expect(actionsOf(proposed, 'client', asked)).toMatchObject({ agree: false })
    const ended = { ...proposed, state: 'ended' as const }
    expect(Object.values(actionsOf(ended, 'client', { ...facts, waitsFor: null })).some(Boolean)).toBe(false)
  })

  test('is changed by the client and priced by the practitioner while it goes on', () => {
    const facts = { waitsFor: null, openPriceFrom: null, isSuspended: false, newZone: undefined }
    const active = { ...proposed, state: 'active' as const }
    const paused = { ...proposed, state: 'paused' as const, paused_cause: 'suspension' as const }
    const open = { ...facts, openPriceFrom: '2026-07-07' }
    const suspended = { ...facts, isSuspended: true }
    const ending = { ...active, last_on: '2026-07-07' }
    const may = (series: Parameters<typeof actionsOf>[0], given: Parameters<typeof actionsOf>[2] = facts) =>
      (['client', 'practitioner'] as const).map((you) =>
        Object.entries(actionsOf(series, you, given)).flatMap(([action, can]) => (can ? [action] : [])),
      )
    expect(may(active)).toEqual([
      ['away', 'change', 'end', 'change_card'],
      ['end', 'propose_price'],
    ])
    expect(may(active, open)).toEqual([['away', 'change', 'end', 'change_card', 'answer_price'], ['end']])
    expect(may(active, suspended)).toEqual([
      ['away', 'end', 'change_card'],
      ['end', 'propose_price'],
    ])
    expect(may(ending)).toEqual([['away', 'end', 'change_card'], ['end']])
    expect(may(paused)).toEqual([['end', 'change_card', 'resume'], ['end']])
    expect(may(paused, suspended)).toEqual([['end', 'change_card'], ['end']])
    expect(may({ ...paused, paused_cause: 'unpaid' })).toEqual([['end', 'change_card'], ['end']])
    expect(may(proposed)).toEqual([['decline', 'end'], ['decline']])
  })

  test('lets the client answer a new price that begins before its end', () => {
    const facts = { waitsFor: null, openPriceFrom: '2026-07-07', isSuspended: false, newZone: undefined }
    const answer = (last_on: string | null, you: 'client' | 'practitioner' = 'client') =>
      actionsOf({ ...proposed, state: 'active', last_on }, you, facts).answer_price
    expect([null, '2026-07-07', '2026-07-06'].map((day) => answer(day))).toEqual([true, true, false])
    expect(answer(null, 'practitioner')).toBe(false)
  })

  test('is kept for 14 days while it is paused for a payment, or until the next session can last be paid', () => {
    const now = new Date('2026-06-22T09:00:00Z')
    const fortnight = new Date('2026-07-06T09:00:00Z')
    const inFourWeeks = new Date('2026-07-20T09:00:00Z')
    expect(pausedUntil('unpaid', now, new Date('2026-06-29T09:00:00Z'))).toEqual(fortnight)
    expect(pausedUntil('unpaid', now, undefined)).toEqual(fortnight)
    expect(pausedUntil('unpaid', now, inFourWeeks)).toEqual(inFourWeeks)
    expect(pausedUntil('suspension', now, new Date('2026-12-01T09:00:00Z'))).toEqual(inFourWeeks)
  })

  test('waits while it is paused for a next session that can be paid later by now, or is being checked', () => {
    const at = (day: number) => new Date(Date.UTC(2026, 6, day, 9))
    const paused = { paused_cause: 'unpaid', paused_until: at(6) }
    const next = { starts_at: at(7), pay_at: at(5), pay_by: at(6), isMoved: false, isFrozen: false }
    const kept = { ...next, pay_by: at(7) }
    expect(keptUntil(paused, undefined, at(6))).toEqual(at(6))
    expect(keptUntil(paused, next, at(6))).toEqual(at(6))
    expect(keptUntil(paused, kept, at(6))).toEqual(at(7))
    expect(keptUntil({ ...paused, paused_cause: 'suspension' }, kept, at(6))).toEqual(at(6))
    const later = { ...next, starts_at: at(20), pay_at: at(18), pay_by: at(19) }
    expect(keptUntil(paused, later, at(6))).toEqual(at(6))
    expect(keptUntil(paused, { ...later, isMoved: true }, at(6))).toEqual(at(19))
    expect(keptUntil(paused, { ...next, isFrozen: true }, at(6))).toEqual(at(7))
  })

  test('pauses after two unpaid dates running, and not after two with a paid one between them', () => {
    expect(isRunUnpaid(['unpaid', 'unpaid'])).toBe(true)
    expect(isRunUnpaid(['unpaid', 'other', 'unpaid', 'paid'])).toBe(true)
    expect(isRunUnpaid(['unpaid', 'paid', 'unpaid'])).toBe(false)
    expect(isRunUnpaid(['paid', 'unpaid', 'unpaid'])).toBe(false)
    expect(isRunUnpaid(['unpaid'])).toBe(false)
    expect(isRunUnpaid([])).toBe(false)
  })

  test('is reserved further ahead than the public calendar offers times', () => {
    const now = new Date('2026-06-01T08:00:00Z')
    expect(reservedUntil(now).getTime()).toBe(now.getTime() + 70 * day)
    expect(bookableRange(now.getTime(), 0).to).toBeLessThan(reservedUntil(now).getTime())
    expect(reservedDays).toBeGreaterThan(horizonDays)
  })

  test('keeps its price until a new one was accepted', () => {
    const change = { fee_pence: 7000, from_date: '2026-07-07', answer: 'accepted' as const }
    expect(feeOn({ fee_pence: 6000 }, change, '2026-06-30')).toBe(6000)
    expect(feeOn({ fee_pence: 6000 }, change, '2026-07-07')).toBe(7000)
    expect(feeOn({ fee_pence: 6000 }, { ...change, answer: null }, '2026-07-07')).toBe(6000)
    expect(feeOn({ fee_pence: 6000 }, undefined, '2026-07-07')).toBe(6000)
  })
})

describe('a date', () => {
  const start = new Date('2026-06-09T10:00:00Z')
  const reserved = {
    state: 'reserved',
    startsAt: start,
    rhythmStart: start,
    cancelledBy: null,
    cancelCode: null,
  }

  test('follows its session', () => {
    expect(stateOfDate(reserved).state).toBe('planned')
    expect(stateOfDate({ ...reserved, startsAt: new Date('2026-06-10T10:00:00Z') }).state).toBe('moved')
    const cancelled = { ...reserved, state: 'cancelled' }
    expect(stateOfDate({ ...cancelled, cancelledBy: 'client' })).toEqual({ state: 'skipped', by: 'client' })
    expect(stateOfDate({ ...cancelled, cancelledBy: 'practitioner', cancelCode: 'absence' })).toEqual({
      state: 'skipped',
      by: 'practitioner',
    })
    expect(stateOfDate({ ...cancelled, cancelledBy: 'practitioner' }).state).toBe('released')
    expect(stateOfDate({ ...cancelled, cancelledBy: 'client', cancelCode: 'series_ended' }).state).toBe(
      'released',
    )
    expect(stateOfDate({ ...cancelled, cancelledBy: 'system', cancelCode: 'unpaid' }).state).toBe('released')
  })

  test('that the client skipped can be taken up again until it would begin, one of the practitioner cannot', () => {
    const skipped = {
      state: 'skipped' as const,
      session: undefined,
      startsAt: start,
      skippedBy: 'client' as const,
      isAfterEnd: false,
    }
    const at = { seriesState: 'active' as const, you: 'client' as const, now }
    expect(dateActions(skipped, at).restore).toBe(true)
    expect(dateActions({ ...skipped, isAfterEnd: true }, at).restore).toBe(false)
    expect(dateActions({ ...skipped, skippedBy: 'practitioner' }, at).restore).toBe(false)
    expect(dateActions(skipped, { ...at, now: start }).restore).toBe(false)
    expect(dateActions(skipped, { ...at, seriesState: 'ended' }).restore).toBe(false)
    expect(dateActions(skipped, { ...at, you: 'practitioner' }).restore).toBe(false)
  })

  test('in conflict is skipped or moved by the client, and kept by the practitioner against their own calendar', () => {
    const conflict = {
      state: 'conflict' as const,
      session: undefined,
      startsAt: start,
      skippedBy: null,
      conflictCause: 'busy_elsewhere' as const,
      isAfterEnd: false,
    }
    const at = { seriesState: 'active' as const, now }
    const may = (facts: object = {}, when: object = {}) =>
      (['client', 'practitioner'] as const).flatMap((you) =>
        Object.entries(dateActions({ ...conflict, ...facts }, { ...at, you, ...when })).flatMap(
          ([action, can]) => (can ? [action] : []),
        ),
      )
    expect(may()).toEqual(['skip', 'choose_time', 'keep'])
    expect(may({ conflictCause: 'taken' })).toEqual(['skip', 'choose_time'])
    expect(may({ state: 'later' })).toEqual(['skip'])
    expect(may({ state: 'planned' })).toEqual([])
    expect(may({}, { seriesState: 'paused' })).toEqual(['skip'])
    expect(may({}, { seriesState: 'ended' })).toEqual([])
    for (const seriesState of ['active', 'paused'])
      expect(may({ isAfterEnd: true }, { seriesState })).toEqual([])
    expect(may({}, { now: start })).toEqual([])
  })

  test('is skipped and moved by the client while it is not paid', () => {
    const session = { state: 'reserved', startsAt: start, isPaying: false }
    const planned = {
      state: 'planned' as const,
      session,
      startsAt: start,
      skippedBy: null,
      isAfterEnd: false,
    }
    const at = { seriesState: 'active' as const, you: 'client' as const, now }
    expect(dateActions(planned, at)).toMatchObject({ skip: true, move: true })
    expect(dateActions({ ...planned, session: { ...session, isPaying: true } }, at)).toMatchObject({
      skip: false,
      move: false,
    })
    expect(dateActions({ ...planned, session: { ...session, state: 'confirmed' } }, at).skip).toBe(false)
    for (const when of [{ you: 'practitioner' as const }, { now: start }])
      expect(dateActions(planned, { ...at, ...when })).toMatchObject({ skip: false, move: false })
  })
})
