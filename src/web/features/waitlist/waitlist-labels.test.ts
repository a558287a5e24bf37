import { describe, expect, test } from 'vitest'
import {
  lastDayLabel,
  leadTimeLabel,
  leadTimes,
  leavingLabel,
  offerTermsLabel,
  otherClockOf,
  placeLabel,
  swapOverLabel,
  wishedTimesLabel,
} from './waitlist-labels.ts'

test('a place is an ordinal number', () => {
  expect([1, 2, 3, 4, 11, 22].map((place) => placeLabel(place, 30))).toEqual([
    '1st of 30',
    '2nd of 30',
    '3rd of 30',
    '4th of 30',
    '11th of 30',
    '22nd of 30',
  ])
})

test('a notice is in hours or days', () => {
  expect([90, ...leadTimes].map(leadTimeLabel)).toEqual([
    '90 minutes',
    '1 hour',
    '4 hours',
    '12 hours',
    '1 day',
    '2 days',
    '3 days',
  ])
})

test('the times that a client could come name their first and last day', () => {
  const windows = [{ weekdays: [5], from: '09:00', to: '10:00' }]
  const label = (earliest: string | null, latest: string | null) =>
    wishedTimesLabel({ windows, earliest, latest }, '2026-11-23T10:00:00Z')
  expect(label(null, null)).toBe('Fri, 09:00 to 10:00')
  expect(label('2026-11-27', '2026-11-27')).toBe('Fri, 09:00 to 10:00, on Friday 27 November')
  expect(label('2026-11-27', '2027-01-08')).toBe(
    'Fri, 09:00 to 10:00, from Friday 27 November until Friday 8 January 2027',
  )
})

test('the clock of a place is named where it shows another time than the reader’s', () => {
  const now = '2026-11-23T10:00:00Z'
  const place = { timezone: 'Europe/London' }
  expect(otherClockOf(place, 'America/New_York', now)).toBe('London time')
  expect(otherClockOf(place, 'Europe/London', now)).toBeUndefined()
  expect(otherClockOf({ timezone: 'Asia/Kolkata' }, 'Asia/Calcutta', now)).toBeUndefined()
})

describe('leaving a waitlist', () => {
  const practitioner = { full_name: 'Nora Ellis' }
  const offer = { offer_id: crypto.randomUUID(), starts_at: '2026-11-27T09:00:00Z', expires_at: null }
  const isPlaceLost = 'You give up your place with Nora Ellis'
  const isLast = 'If you join again later, you start at the end.'
  const canPause = 'To keep your place for now, you can pause it instead.'

  test('suggests a pause to a client who waits', () => {
    const label = leavingLabel({ practitioner, state: 'waiting', offers: [] })
    expect(label).toBe(`${isPlaceLost}. ${isLast} ${canPause}`)
  })

  test('passes the time of an open turn to the next client, and suggests no pause', () => {
    const label = leavingLabel({ practitioner, state: 'offered', offers: [{ ...offer, kind: 'turn' }] })
    expect(label).toBe(
      `${isPlaceLost}, and the time we are holding for you goes to the next person. ${isLast}`,
    )
  })

  test('keeps no time back with a broadcast, and suggests a pause', () => {
    const label = leavingLabel({ practitioner, state: 'waiting', offers: [{ ...offer, kind: 'broadcast' }] })
    expect(label).toBe(`${isPlaceLost}. ${isLast} ${canPause}`)
  })

  test('suggests no pause of a place that is paused', () => {
    const label = leavingLabel({ practitioner, state: 'paused', offers: [] })
    expect(label).toBe(`${isPlaceLost}. ${isLast}`)
  })
})

describe('the last day of a place', () => {
  const label = (latest: string | null) =>
    lastDayLabel({ latest, ends_at: '2026-08-01T08:00:00Z' }, 'Europe/London', '2026-06-08T08:00:00Z')

  test('is that of its end, or an earlier one that the client named', () => {
    expect(label(null)).toBe('Saturday 1 August')
    expect(label('2026-09-01')).toBe('Saturday 1 August')
    expect(label('2026-06-20')).toBe('Saturday 20 June')
  })
})

describe('how long an offered time can be had', () => {
  const zone = 'Europe/London'
  const offer = { offer_id: '1', starts_at: '2026-06-09T09:00:00Z', expires_at: null } as const
  test.each([
    [{ ...offer, kind: 'broadcast' }, /The first to book it has it\.$/],
    [{ ...offer, kind: 'turn' }, /^We are holding it for you\.$/],
    [{ ...offer, kind: 'turn', expires_at: '2026-06-08T10:00:00Z' }, /^It is yours until 11:00\.$/],
  ] as const)('%o', (given, words) => {
    expect(offerTermsLabel(given, zone, '2026-06-08T08:00:00Z')).toMatch(words)
  })
})

test('a session that can no longer be swapped is named by its time, and without one as it was wanted', () => {
  const label = (starts_at: string | null) =>
    swapOverLabel(
      { starts_at } as Parameters<typeof swapOverLabel>[0],
      'Europe/London',
      '2026-06-01T09:00:00Z',
    )
  expect(label('2026-06-03T09:00:00Z')).toMatch(/^Wednesday 3 June, 10:00 can no longer be cancelled/)
  expect(label(null)).toMatch(/^The session that you wanted to swap can no longer be cancelled/)
})
