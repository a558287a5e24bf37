import { expect, test } from 'vitest'
import { zoneCity } from '#contract/zone-names.ts'
import {
  atTime,
  clockPlace,
  dayIn,
  formatDay,
  otherClocks,
  formatDayAndTime,
  formatShortDay,
  formatTime,
  formatTimeRange,
  instantAt,
  zoneName,
  zoneNote,
} from './time.ts'

const now = '2026-02-01T00:00:00Z'

test('a day and time is written out, with the year where it is another', () => {
  expect(formatDayAndTime('2026-03-04T14:00:00Z', 'Europe/London', now)).toBe('Wednesday 4 March, 14:00')
  expect(formatDay('2027-03-04T14:00:00Z', 'Europe/London', now)).toBe('Thursday 4 March 2027')
  expect(formatShortDay('2026-03-04T14:00:00Z', 'Europe/London')).toBe('Wed 4 Mar')
})

test('the hour is that of the zone, on either side of a change of the clocks', () => {
  expect(formatTime('2026-03-29T00:30:00Z', 'Europe/London')).toBe('00:30')
  expect(formatTime('2026-03-29T01:30:00Z', 'Europe/London')).toBe('02:30')
  expect(formatTime('2026-01-10T00:00:00Z', 'Europe/London')).toBe('00:00')
  expect(formatTimeRange('2026-07-01T13:00:00Z', '2026-07-01T13:50:00Z', 'America/New_York')).toBe(
    '09:00 to 09:50',
  )
})

test('the day is that of the zone', () => {
  expect(dayIn('2026-03-04T23:30:00Z', 'Europe/London')).toBe('2026-03-04')
  expect(dayIn('2026-03-04T23:30:00Z', 'Australia/Lord_Howe')).toBe('2026-03-05')
})

test('the clocks of a session are those that show another time, each once, with the day where it is another', () => {
  const session = { startsAt: '2026-06-03T22:30:00Z', endsAt: '2026-06-03T23:20:00Z' }
  const others = [
    { whose: 'On your schedule', zone: 'Europe/London' },
    { whose: 'In Lisbon', zone: 'Europe/Lisbon' },
    { whose: 'Client’s time', zone: 'America/New_York' },
    { whose: 'Unknown', zone: null },
  ]
  expect(otherClocks(session, 'Europe/Paris', others)).toEqual([
    {
      whose: 'On your schedule',
      time: 'Wednesday 3 June, 23:30 to 00:20',
      place: 'London',
    },
    {
      whose: 'Client’s time',
      time: 'Wednesday 3 June, 18:30 to 19:20',
      place: 'New York',
    },
  ])
  expect(otherClocks({ startsAt: session.startsAt }, 'Europe/London', others)).toEqual([
    { whose: 'Client’s time', time: '18:30', place: 'New York' },
  ])
})

test('a zone is named only where the clocks differ at that instant', () => {
  expect(zoneNote('2026-03-04T14:00:00Z', 'Europe/London', 'Europe/Lisbon')).toBeUndefined()
  expect(zoneNote('2026-03-04T14:00:00Z', 'Europe/London', 'Europe/London')).toBeUndefined()
  expect(zoneNote('2026-07-04T14:00:00Z', 'America/New_York', 'Europe/London')).toBe(
    'New York time, Eastern Daylight Time',
  )
  // In step in winter, an hour apart in summer.
  expect(zoneNote('2026-01-04T14:00:00Z', 'Europe/London', 'Africa/Abidjan')).toBeUndefined()
  expect(zoneNote('2026-07-04T14:00:00Z', 'Europe/London', 'Africa/Abidjan')).toBe(
    'London time, British Summer Time',
  )
  expect(zoneName('Europe/London', '2026-01-04T14:00:00Z')).toBe('Greenwich Mean Time')
})

test('a zone that a browser calls by an old name has the name of its city today', () => {
  expect(zoneNote('2026-03-04T14:00:00Z', 'Asia/Katmandu', 'Europe/London')).toBe(
    'Kathmandu time, Nepal Time',
  )
  expect(clockPlace('Europe/Kiev', '2026-01-04T14:00:00Z')).toBe('Kyiv, Eastern European Standard Time')
  expect(zoneCity('Asia/Calcutta')).toBe('Kolkata')
})

test.each([
  ['2026-06-08T10:00', 'Europe/London', '2026-06-08T09:00:00.000Z'],
  ['2026-01-08T10:00', 'Europe/London', '2026-01-08T10:00:00.000Z'],
  ['2026-06-08T10:00', 'America/New_York', '2026-06-08T14:00:00.000Z'],
  // The clocks go back: 01:30 is there twice.
  ['2026-10-25T00:30', 'Europe/London', '2026-10-24T23:30:00.000Z'],
  ['2026-10-25T01:30', 'Europe/London', '2026-10-25T00:30:00.000Z'],
  ['2026-10-25T02:30', 'Europe/London', '2026-10-25T02:30:00.000Z'],
  // The clocks go forward: 01:30 is left out.
  ['2026-03-29T00:30', 'Europe/London', '2026-03-29T00:30:00.000Z'],
  ['2026-03-29T01:30', 'Europe/London', '2026-03-29T01:30:00.000Z'],
  ['2026-03-29T02:30', 'Europe/London', '2026-03-29T01:30:00.000Z'],
  ['2026-02-30T10:00', 'Europe/London', undefined],
  ['2026-06-08', 'Europe/London', undefined],
  ['', 'Europe/London', undefined],
])('the instant of %s in %s is %s', (local, zone, instant) => {
  expect(instantAt(local, zone)?.toISOString()).toBe(instant)
})

test('a time of another day has that day beside it, by the clocks of the zone', () => {
  const evening = '2026-06-15T22:30:00Z'
  expect(atTime('2026-06-15T22:45:00Z', 'Europe/London', evening)).toBe('at 23:45')
  expect(atTime('2026-06-15T23:15:00Z', 'Europe/London', evening)).toBe('on Tuesday 16 June at 00:15')
  expect(atTime('2026-06-15T23:15:00Z', 'America/New_York', evening)).toBe('at 19:15')
})
