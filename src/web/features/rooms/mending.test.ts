import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createMender } from './mending.ts'

beforeEach(() => void vi.useFakeTimers({ now: 0 }))
afterEach(() => void vi.useRealTimers())

function watched() {
  const restarts: number[] = []
  return { restarts, mender: createMender(() => restarts.push(Date.now())) }
}

test('a lost connection is restarted at once, and again after pauses that grow up to eight seconds', () => {
  const { mender, restarts } = watched()
  mender.start()
  vi.advanceTimersByTime(2000)
  mender.start()
  vi.advanceTimersByTime(34_000)
  expect(restarts).toEqual([0, 4000, 10_000, 18_000, 26_000, 34_000])
  mender.stop()
  expect(vi.getTimerCount()).toBe(0)
})

test('a network that is back restarts at once, and the pauses begin anew', () => {
  const { mender, restarts } = watched()
  mender.start()
  vi.advanceTimersByTime(12_000)
  mender.now()
  vi.advanceTimersByTime(10_000)
  expect(restarts).toEqual([0, 4000, 10_000, 12_000, 16_000, 22_000])
})

test('reasons for a restart within a second make one', () => {
  const { mender, restarts } = watched()
  for (let each = 0; each < 5; each++) {
    mender.now()
    vi.advanceTimersByTime(199)
  }
  mender.start()
  expect(restarts).toEqual([0])
  vi.advanceTimersByTime(5)
  mender.now()
  expect(restarts).toEqual([0, 1000])
})

test('a connection that is back is left alone until it is lost again', () => {
  const { mender, restarts } = watched()
  mender.start()
  mender.stop()
  vi.advanceTimersByTime(60_000)
  expect(restarts).toEqual([0])
  mender.start()
  vi.advanceTimersByTime(4000)
  expect(restarts).toEqual([0, 60_000, 64_000])
})
