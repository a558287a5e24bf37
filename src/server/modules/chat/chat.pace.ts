import { type Clock, seconds } from '../../clock.ts'

type Options = {
  /** So many … */
  allowed: number
  /** … in any stretch this long, in milliseconds. */
  window: number
  clock: Clock
}

/** When an account wrote lately, oldest first. Those before `from` are past. */
type Lately = { times: number[]; from: number }

export type Pace = ReturnType<typeof createPace>

/**
 * How much accounts write, counted in this process: a message would otherwise have the database read all those of its
 * sender's last minute. The moments themselves are kept, so that the limit holds in every stretch and not by the clock's
 * minutes.
 */
export function createPace({ allowed, window, clock }: Options) {
  const byAccount = new Map<string, Lately>()
  let tidied = clock.now().getTime()

  const forget = (lately: Lately, now: number): void => {
    const { times } = lately
    while (lately.from < times.length && (times[lately.from] ?? 0) <= now - window) lately.from += 1
    // What is past is dropped once it is the larger part, so that each is moved once at most.
    if (lately.from * 2 > times.length) {
      times.splice(0, lately.from)
      lately.from = 0
    }
  }

  const tidy = (now: number): void => {
    if (now - tidied < window) return
    tidied = now
    for (const [accountId, lately] of byAccount) {
      if ((lately.times.at(-1) ?? 0) <= now - window) byAccount.delete(accountId)
    }
  }

  return {
    /** Counts a message. If it is one too many, it is not counted: how long until one is free, in seconds, 1 at least. */
    take(accountId: string): number | undefined {
      const now = clock.now().getTime()
      tidy(now)
      const lately = byAccount.get(accountId) ?? { times: [], from: 0 }
      forget(lately, now)
      if (lately.times.length - lately.from >= allowed) {
        const oldest = lately.times[lately.times.length - allowed] ?? now
        return Math.max(1, Math.ceil((oldest + window - now) / seconds(1)))
      }
      lately.times.push(now)
      byAccount.set(accountId, lately)
      return undefined
    },

    /** Removes the last counted message, which was not written after all. */
    giveBack(accountId: string): void {
      const lately = byAccount.get(accountId)
      if (lately && lately.times.length > lately.from) lately.times.pop()
    },
  }
}
