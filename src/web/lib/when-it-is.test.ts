import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { noteServerDate } from './clock.ts'
import { whenItIs } from './when-it-is.ts'

const now = Date.parse('2026-06-08T09:00:00Z')
const inAnHour = now + 3_600_000
const act = vi.fn<() => void>()

beforeEach(() => {
  vi.useFakeTimers({ now })
  act.mockClear()
})
afterEach(() => {
  noteServerDate(new Date().toUTCString())
  vi.useRealTimers()
})

test('an instant is acted on once, when it comes', () => {
  whenItIs(inAnHour, act)
  vi.advanceTimersByTime(3_599_999)
  expect(act).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(act).toHaveBeenCalledOnce()
  vi.advanceTimersByTime(3_600_000)
  expect(act).toHaveBeenCalledOnce()
})

test('an instant that is past is acted on at once', () => {
  whenItIs(now, act)
  expect(act).toHaveBeenCalledOnce()
})

test('an instant that came while the device slept is acted on soon after it wakes', () => {
  whenItIs(inAnHour, act)
  // Timers stood still.
  vi.setSystemTime(inAnHour + 60_000)
  vi.advanceTimersByTime(15_000)
  expect(act).toHaveBeenCalledOnce()
})

test('an instant follows the server’s clock as it is learnt meanwhile', () => {
  whenItIs(inAnHour, act)
  noteServerDate(new Date(now - 600_000).toUTCString())
  vi.advanceTimersByTime(3_600_000)
  expect(act).not.toHaveBeenCalled()
  vi.advanceTimersByTime(600_000)
  expect(act).toHaveBeenCalledOnce()
})

test('an instant further ahead than a browser’s timers reach is not acted on early', () => {
  whenItIs(now + 30 * 86_400_000, act)
  vi.advanceTimersByTime(29 * 86_400_000)
  expect(act).not.toHaveBeenCalled()
})

test('an instant that was given up is not acted on', () => {
  const giveUp = whenItIs(inAnHour, act)
  vi.advanceTimersByTime(1_800_000)
  giveUp()
  vi.advanceTimersByTime(3_600_000)
  expect(act).not.toHaveBeenCalled()
})
