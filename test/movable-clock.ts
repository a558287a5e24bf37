import type { Clock } from '#server/clock.ts'

export type MovableClock = Clock & {
  set(instant: string | Date): void
  /** Milliseconds. */
  advance(by: number): void
}

/** A clock that stands still until it is moved. */
export function movableClock(start = '2026-06-01T08:00:00Z'): MovableClock {
  let now = Date.parse(start)
  return {
    now: () => new Date(now),
    set(instant) {
      now = new Date(instant).getTime()
    },
    advance(by) {
      now += by
    },
  }
}
