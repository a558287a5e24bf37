import type { Clock } from './clock.ts'

/**
 * Reads something once and answers the same until it is so many milliseconds old. Who asks while it is being read waits
 * for that; a reading that failed is not remembered.
 */
export function remembered<T>(clock: Clock, maxAgeMs: number, read: () => Promise<T>): () => Promise<T> {
  let last: { at: number; value: Promise<T> } | undefined
  return () => {
    const now = clock.now().getTime()
    // A clock that was put back ends it as well.
    if (last && Math.abs(now - last.at) < maxAgeMs) return last.value
    const reading = { at: now, value: read() }
    last = reading
    reading.value.catch(() => {
      if (last === reading) last = undefined
    })
    return reading.value
  }
}
