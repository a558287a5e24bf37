import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { noteServerDate, serverNow } from './clock.ts'

const now = Date.parse('2026-06-08T09:00:00Z')
const aheadAfter = (header: string | null) => {
  noteServerDate(header)
  return serverNow() - now
}

beforeEach(() => vi.useFakeTimers({ now }))
afterEach(() => {
  noteServerDate(new Date(now).toUTCString())
  vi.useRealTimers()
})

test.each([
  ['an hour ahead', 'Mon, 08 Jun 2026 10:00:00 GMT', 3_600_000],
  ['an hour behind', 'Mon, 08 Jun 2026 08:00:00 GMT', -3_600_000],
  ['three seconds ahead', 'Mon, 08 Jun 2026 09:00:03 GMT', 3000],
  ['two seconds ahead, which may be the network', 'Mon, 08 Jun 2026 09:00:02 GMT', 0],
  ['two seconds behind, which may be the network', 'Mon, 08 Jun 2026 08:59:58 GMT', 0],
])('the time is the server’s where its clock is %s', (_name, header, ahead) => {
  expect(aheadAfter(header)).toBe(ahead)
})

test('the time goes on between two answers', () => {
  noteServerDate('Mon, 08 Jun 2026 10:00:00 GMT')
  vi.advanceTimersByTime(90_000)
  expect(new Date(serverNow()).toISOString()).toBe('2026-06-08T10:01:30.000Z')
})

test('a clock that was set right is followed, and an answer without a date changes nothing', () => {
  expect(aheadAfter('Mon, 08 Jun 2026 10:00:00 GMT')).toBe(3_600_000)
  expect([aheadAfter(null), aheadAfter('soon')]).toEqual([3_600_000, 3_600_000])
  expect(aheadAfter('Mon, 08 Jun 2026 09:00:01 GMT')).toBe(0)
})
