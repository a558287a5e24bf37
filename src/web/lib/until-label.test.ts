import { expect, test } from 'vitest'
import { timeLeftLabel, untilLabel } from './until-label.ts'

const now = '2026-03-28T20:30:00Z'

test('an end is named by its time today, and with its day on another', () => {
  const label = (until: string) => untilLabel(until, 'Europe/London', now)
  expect(label('2026-03-28T20:50:00Z')).toBe('20:50')
  // The clocks go forward in the night.
  expect(label('2026-03-29T07:50:00Z')).toBe('tomorrow, 08:50')
  expect(label('2026-03-30T08:00:00Z')).toBe('Monday 30 March, 09:00')
})

test('the time left is in hours and minutes', () => {
  expect([59_000, 60_000, 20 * 60_000, 60 * 60_000, 125 * 60_000].map(timeLeftLabel)).toEqual([
    'less than a minute',
    '1 minute',
    '20 minutes',
    '1 hour',
    '2 hours 5 minutes',
  ])
})
