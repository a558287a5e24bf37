import type { Clock } from '../clock.ts'
import { fail } from '../errors.ts'

/** A limit that is counted in this process, for calls too frequent to count in the database. */
export type SlidingLimit = {
  /** Counts one. @throws 429 with Retry-After when that is one too many */
  use(subject: string): void
}

type Options = {
  /** So many within any stretch as long as the window … */
  hits: number
  /** … in milliseconds. */
  window: number
  scale: number
  clock: Clock
}

type Counts = { window: number; current: number; previous: number }

/**
 * Counts by fixed windows and weighs the one before by how much of it still lies within the last `window`: two numbers
 * for a subject, and no burst at a window's edge. A call that is refused does not count.
 */
export function createSlidingLimit({ hits, window, scale, clock }: Options): SlidingLimit {
  const allowed = hits * scale
  let bySubject = new Map<string, Counts>()
  let tidied = 0
  return {
    use(subject) {
      const now = clock.now().getTime()
      const index = Math.floor(now / window)
      if (index > tidied) {
        bySubject = new Map([...bySubject].filter(([, counts]) => counts.window >= index - 1))
        tidied = index
      }
      const counts = moved(bySubject.get(subject), index)
      const share = 1 - (now % window) / window
      if (counts.previous * share + counts.current + 1 > allowed) {
        throw fail('too_many_requests', 'That was a lot of searches at once. Please wait a moment.', {
          retryAfter: Math.max(1, Math.ceil(secondsUntilOneFits(counts, allowed, window, now))),
        })
      }
      counts.current += 1
      bySubject.set(subject, counts)
    },
  }
}

function moved(counts: Counts | undefined, index: number): Counts {
  if (counts?.window === index) return counts
  return { window: index, current: 0, previous: counts?.window === index - 1 ? counts.current : 0 }
}

function secondsUntilOneFits(counts: Counts, allowed: number, window: number, now: number): number {
  const inWindow = now % window
  const room = allowed - 1 - counts.current
  // Within this window as the one before fades, or else once this one fades in the next.
  const wait =
    room >= 0 && counts.previous > 0
      ? window * (1 - room / counts.previous) - inWindow
      : window - inWindow + window * (1 - Math.max(0, allowed - 1) / Math.max(1, counts.current))
  return wait / 1000
}
