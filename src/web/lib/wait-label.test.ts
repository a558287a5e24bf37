import { expect, test } from 'vitest'
import { waitLabel } from './wait-label.ts'

test.each([
  [1, 'in 1 second'],
  [60, 'in 60 seconds'],
  [61, 'in 2 minutes'],
  [3600, 'in 60 minutes'],
])('a wait of %i seconds is %s', (seconds, words) => {
  expect(waitLabel(seconds)).toBe(words)
})
