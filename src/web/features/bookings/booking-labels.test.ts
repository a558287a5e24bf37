import { expect, test } from 'vitest'
import { changeUntilLabel, durationLabel } from './booking-labels.ts'

const year = new Date().getUTCFullYear()

test('the window is named by its last minute in the viewer’s zone', () => {
  const words = changeUntilLabel(`${year}-07-06T09:32:00Z`, `${year}-07-10T09:00:00Z`, 'Europe/London')
  expect(words).toMatch(/^until \w+day 6 July, 10:32$/)
})

test('a window that ends with the start says so', () => {
  expect(changeUntilLabel('2027-03-04T13:59:59.999Z', '2027-03-04T14:00:00Z', 'Europe/London')).toBe(
    'until it starts',
  )
})

test.each([
  [15, '15 minutes'],
  [50, '50 minutes'],
  [60, '1 hour'],
  [61, '1 hour 1 minute'],
  [120, '2 hours'],
  [150, '2 hours 30 minutes'],
])('%i minutes read as %s', (minutes, words) => {
  const start = '2027-03-04T14:00:00Z'
  expect(durationLabel(start, new Date(Date.parse(start) + minutes * 60_000).toISOString())).toBe(words)
})
