import { expect, test } from 'vitest'
import { firstDayOn, weekdayOf } from './first-day.ts'

test('a day has the weekday of the calendar', () => {
  expect(['2026-06-08', '2026-06-09', '2026-06-14'].map(weekdayOf)).toEqual([1, 2, 7])
})

test('the first day on a weekday is the day itself, or the next such day', () => {
  expect(firstDayOn(2, '2026-06-09')).toBe('2026-06-09')
  expect(firstDayOn(3, '2026-06-09')).toBe('2026-06-10')
  expect(firstDayOn(1, '2026-06-09')).toBe('2026-06-15')
  // The clocks change on this Sunday.
  expect(firstDayOn(1, '2026-10-24')).toBe('2026-10-26')
})
