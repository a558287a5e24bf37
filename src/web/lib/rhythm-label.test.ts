import { describe, expect, test } from 'vitest'
import { rhythmLabel } from './rhythm-label.ts'

const london = 'Europe/London'
const rhythm = { weekday: 2, start: '10:00', every_weeks: 1, duration_minutes: 50, timezone: london } as const
const at = '2026-03-10T10:00:00Z'

describe('the hour of a series', () => {
  test.each([
    [1, 'Every Tuesday at 10:00'],
    [2, 'Every second Tuesday at 10:00'],
    [4, 'Every fourth Tuesday at 10:00'],
  ] as const)('every %i weeks is %s', (every_weeks, words) => {
    expect(rhythmLabel({ ...rhythm, every_weeks }, london, at)).toBe(words)
  })

  test('is on the weekday of its number, from Monday, 1, to Sunday, 7', () => {
    const weekdays = [1, 2, 3, 4, 5, 6, 7] as const
    expect(weekdays.map((weekday) => rhythmLabel({ ...rhythm, weekday }, london, at).split(' ')[1])).toEqual([
      'Monday',
      'Tuesday',
      'Wednesday',
      'Thursday',
      'Friday',
      'Saturday',
      'Sunday',
    ])
  })

  test('names its clock where the reader’s shows another time, in summer and in winter alike', () => {
    for (const when of [at, '2026-06-09T09:00:00Z'])
      expect(rhythmLabel(rhythm, 'America/New_York', when)).toBe('Every Tuesday at 10:00 (London time)')
  })
})
