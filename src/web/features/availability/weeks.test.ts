import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Slot } from '#contract/availability/availability.ts'
import { addDays, isDay } from '#web/lib/time.ts'
import {
  dayLabel,
  firstDayOf,
  mondayOf,
  slotsByDay,
  stripDays,
  weekAnnouncement,
  weekLabel,
} from './weeks.ts'

const someDay = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2040-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

test('a week begins on the Monday at most six days earlier', () => {
  fc.assert(
    fc.property(someDay, (day) => {
      const monday = mondayOf(day)
      expect(new Date(`${monday}T00:00:00Z`).getUTCDay()).toBe(1)
      expect([0, 1, 2, 3, 4, 5, 6].map((days) => addDays(monday, days))).toContain(day)
    }),
  )
})

test('a strip has five days, and seven when there are times at the weekend', () => {
  expect(stripDays('2026-03-02', ['2026-03-04'])).toEqual([
    '2026-03-02',
    '2026-03-03',
    '2026-03-04',
    '2026-03-05',
    '2026-03-06',
  ])
  expect(stripDays('2026-03-02', ['2026-03-08'])).toHaveLength(7)
  expect(stripDays('2026-03-02', ['2026-03-14'])).toHaveLength(5)
})

const slot = (starts_at: string): Slot => ({
  starts_at,
  ends_at: starts_at,
  appointment_type: 'online',
  location_id: null,
})

test('times stand under the day they have in the zone, in order', () => {
  const slots = [slot('2026-03-03T09:00:00Z'), slot('2026-03-03T02:00:00Z')]
  expect([...slotsByDay(slots, 'Europe/London').keys()]).toEqual(['2026-03-03'])
  expect([...slotsByDay(slots, 'America/New_York').keys()]).toEqual(['2026-03-02', '2026-03-03'])
  expect(
    slotsByDay(slots, 'Europe/London')
      .get('2026-03-03')
      ?.map((known) => known.starts_at),
  ).toEqual(['2026-03-03T02:00:00Z', '2026-03-03T09:00:00Z'])
})

test('the first day with a time is shown first, without any today, never a past day while there is another', () => {
  const days = stripDays('2026-03-02', [])
  expect(firstDayOf(days, new Set(['2026-03-05']), '2026-03-03')).toBe('2026-03-05')
  expect(firstDayOf(days, new Set(), '2026-03-03')).toBe('2026-03-03')
  expect(firstDayOf(days, new Set(), '2026-03-08')).toBe('2026-03-02')
})

test('weeks and days in words', () => {
  expect(weekLabel(stripDays('2026-03-02', []))).toBe('2 to 6 March')
  expect(weekLabel(stripDays('2026-03-30', []))).toBe('30 March to 3 April')
  const announced = (...counts: [string, number][]) =>
    weekAnnouncement(stripDays('2026-03-02', []), new Map(counts))
  expect(announced(['2026-03-03', 4], ['2026-03-05', 8])).toBe('2 to 6 March, 12 free times')
  expect(announced(['2026-03-03', 1])).toBe('2 to 6 March, 1 free time')
  expect(announced()).toBe('2 to 6 March, no free times')
  expect(dayLabel('2026-03-04', '2026-01-01')).toBe('Wednesday 4 March')
  expect(dayLabel('2027-03-03', '2026-12-30')).toBe('Wednesday 3 March 2027')
})

test('only days that there are count as days', () => {
  expect(['2026-02-28', '2026-02-29', '2026-2-1', '', null, '2026-13-01'].map(isDay)).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
  ])
})
