import { expect, test } from 'vitest'
import { minutesCrossed } from './minutes-crossed.ts'

test.each([
  ['nothing at the first look', Number.POSITIVE_INFINITY, 40, undefined],
  ['nothing between two announcements', 299, 298, undefined],
  ['each minute as it is passed', 301, 300, 5],
  ['each minute as it is passed', 121, 120, 2],
  ['each minute as it is passed', 60.5, 60, 1],
  ['the time that is left after a sleep, not what was left before it', 360, 40, 1],
  ['the time that is left after a sleep, not what was left before it', 360, 90, 2],
])('a countdown announces %s: from %d to %d seconds', (_, previous, now, minutes) => {
  expect(minutesCrossed(previous, now)).toBe(minutes)
})
