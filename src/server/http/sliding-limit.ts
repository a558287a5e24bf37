import type { Clock } from '../clock.ts'
import { fail } from '../errors.ts'

/** A limit that is counted in this process, for calls too frequent to count in the database. */
export type SlidingLimit = {
  /** Counts one. @throws 429 with Retry-After when that is one too many */
  use(subject: string): void
  /** Counts one and returns true, or returns false if that is one too many. */
  isFree(subject: string): boolean
}

type Options = {
  /** So many within any stretch as long as the window … */
  hits: number
  /** … in milliseconds. */
  window: number
  /** The error message of a refused call. */
  refusal?: string
}

type Counts = { current: number; previous: number }
type Kept = Counts & { window: number }

/**
 * Counts by fixed windows and weighs the one before by how much of it still lies within the last `window`: two numbers
 * for a subject, and no burst at a window's edge. A call that is refused does not count.
 */
export function createSlidingLimit(
  { hits, window, refusal = 'That was a lot at once. Please wait a moment.' }: Options,
  { clock, rateLimitScale }: { clock: Clock; rateLimitScale: number },
): SlidingLimit {
  const allowed = hits * rateLimitScale
  let bySubject = new Map<string, Kept>()
  let tidied = 0
  /** Counts one; the seconds until it would be free when it is one too many. */
  const take = (subject: string): number | undefined => {
    const now = clock.now().getTime()
    const index = Math.floor(now / window)
    if (index > tidied) {
      bySubject = new Map([...bySubject].filter(([, counts]) => counts.window >= index - 1))
      tidied = index
    }
    const counts = moved(bySubject.get(subject), index)
    if (!oneFits(counts, allowed, window, now)) return secondsUntilOneFits(counts, allowed, window, now)
    counts.current += 1
    bySubject.set(subject, counts)
    return undefined
  }
  return {
    use(subject) {
      const retryAfter = take(subject)
      if (retryAfter === undefined) return
      throw fail('too_many_requests', refusal, { retryAfter })
    },
    isFree: (subject) => take(subject) === undefined,
  }
}

function moved(counts: Kept | undefined, index: number): Kept {
  if (counts?.window === index) return counts
  return { window: index, current: 0, previous: counts?.window === index - 1 ? counts.current : 0 }
}

/** What of the window before still counts at this moment. `now` and `window` in milliseconds. */
export function faded(previous: number, window: number, now: number): number {
  return previous * (1 - (now % window) / window)
}

/** Whether one more is allowed now. */
export function oneFits(counts: Counts, allowed: number, window: number, now: number): boolean {
  return faded(counts.previous, window, now) + counts.current + 1 <= allowed + rounding
}

/** Far less than one hit, and more than arithmetic on fractions loses. */
export const rounding = 1e-6

/** When one more will be allowed, in whole seconds from now, 1 at least. */
export function secondsUntilOneFits(counts: Counts, allowed: number, window: number, now: number): number {
  const inWindow = now % window
  const room = allowed - 1 - counts.current
  // Within this window as the one before fades, or else once this one fades in the next.
  const wait =
    room >= 0 && counts.previous > 0
      ? window * (1 - room / counts.previous) - inWindow
      : window - inWindow + window * (1 - Math.max(0, allowed - 1) / Math.max(1, counts.current))
  return Math.max(1, Math.ceil(wait / 1000))
}
