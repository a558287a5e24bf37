import { fail } from '../errors.ts'

type Options = {
  /** How many pieces of work run at once. */
  size: number
  /** How many more may wait. */
  queueLimit: number
}

/** Runs pieces of work a few at a time, in the order in which they came. */
export function createTurns({ size, queueLimit }: Options) {
  let running = 0
  const waiting: (() => void)[] = []
  return {
    /** @throws 503 when as many wait as may, or what the work fails with */
    async run<T>(work: () => Promise<T>): Promise<T> {
      if (running >= size) {
        if (waiting.length >= queueLimit) {
          throw fail('unavailable', 'Many files are being sent at the moment. Please try again shortly.', {
            retryAfter: 5,
          })
        }
        await new Promise<void>((resolve) => waiting.push(resolve))
      } else running += 1
      try {
        return await work()
      } finally {
        const first = waiting.shift()
        if (first) first()
        else running -= 1
      }
    },
  }
}
