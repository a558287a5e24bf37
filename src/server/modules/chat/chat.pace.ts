import { type Clock, seconds } from '../../clock.ts'

type Options = {
  /** So many … */
  allowed: number
  /** … in any stretch this long, in milliseconds. */
  window: number
  clock: Clock
}

/** Times of an account's recent messages, oldest first. Those before `from` have left the window. */
type Lately = { times: number[]; from: number }

/**
 * Counts the messages of accounts in this process. Otherwise the database would read all messages of the sender's last
 * minute for each new one. The exact times are kept, so that the limit holds in every window and not per clock minute.
 */
export function createPace({ allowed, window, clock }: Options) {
  const byAccount = new Map<string, Lately>()
  let tidied = clock.now().getTime()

  const forget = (lately: Lately, now: number): void => {
    // After the clock was put back, later times count as of now: they would count until it is that late again.
    if ((lately.times.at(-1) ?? 0) > now) lately.times = lately.times.map((time) => Math.min(time, now))
    const { times } = lately
    while (lately.from < times.length && (times[lately.from] ?? 0) <= now - window) lately.from += 1
    // Past times are dropped once they are the larger part, so that each entry is moved once at most.
    if (lately.from * 2 > times.length) {
      times.splice(0, lately.from)
      lately.from = 0
    }
  }

  const tidy = (now: number): void => {
    if (Math.abs(now - tidied) < window) return
    tidied = now
    for (const [accountId, lately] of byAccount) {
      if ((lately.times.at(-1) ?? 0) <= now - window) byAccount.delete(accountId)
    }
  }

  return {
    /** Counts a message. If it is over the limit, does not count it and returns the seconds to wait, 1 at least. */
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
