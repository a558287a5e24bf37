import { expect, test } from 'vitest'
import { hasKeepableHour } from './series-paths.ts'

test.each([
  ['a session that was booked for a time', { series_id: null, booking_type: 'schedule' }, true],
  ['a session of a series', { series_id: '0197', booking_type: 'schedule' }, false],
  ['help right now', { series_id: null, booking_type: 'instant' }, false],
])('the hour of %s can be kept: %#', (_, session, isKeepable) => {
  expect(hasKeepableHour(session)).toBe(isKeepable)
})
