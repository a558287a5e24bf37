import { type Clock, hours, minutes } from '../clock.ts'
import type { Db } from '../db/connection.ts'
import { fail } from '../errors.ts'

/** What may be done how often. Counted in the database, so that all instances share the count. */
export const limits = {
  'sign-in failures of an account': { hits: 10, window: minutes(15) },
  'sign-in failures from an address': { hits: 100, window: minutes(15) },
  'registrations from an address': { hits: 200, window: hours(1) },
  'password mails to an account': { hits: 5, window: hours(1) },
  'password mails from an address': { hits: 100, window: hours(1) },
  'referral codes from an address': { hits: 100, window: hours(1) },
  'new cards of a client': { hits: 10, window: hours(1) },
  'declined payments of a client': { hits: 5, window: hours(1) },
} as const
export type LimitName = keyof typeof limits

export type Limits = {
  /** @throws 429 with Retry-After when the limit is used up. Counts nothing. */
  check(name: LimitName, subject: string): Promise<void>
  /** Counts one. */
  count(name: LimitName, subject: string): Promise<void>
  /** Counts one, and refuses it when that is one too many. */
  use(name: LimitName, subject: string): Promise<void>
  clear(name: LimitName, subject: string): Promise<void>
}

/** Fixed windows: a subject's hits are counted from the start of the window that the clock is in. */
export function createLimits(db: Db, clock: Clock, scale: number): Limits {
  const windowStart = (name: LimitName) => {
    const { window } = limits[name]
    return new Date(Math.floor(clock.now().getTime() / window) * window)
  }
  const refuse = (name: LimitName) => {
    const end = windowStart(name).getTime() + limits[name].window
    return fail('too_many_requests', 'Too many attempts. Please wait a little and try again.', {
      retryAfter: (end - clock.now().getTime()) / 1000,
    })
  }
  const add = async (name: LimitName, subject: string) => {
    const row = await db
      .insertInto('rate_limits')
      .values({ bucket: name, subject, window_start: windowStart(name), hits: 1 })
      .onConflict((conflict) =>
        conflict
          .columns(['bucket', 'subject', 'window_start'])
          .doUpdateSet((eb) => ({ hits: eb('rate_limits.hits', '+', 1) })),
      )
      .returning('hits')
      .executeTakeFirstOrThrow()
    return row.hits
  }
  return {
    async check(name, subject) {
      const row = await db
        .selectFrom('rate_limits')
        .select('hits')
        .where('bucket', '=', name)
        .where('subject', '=', subject)
        .where('window_start', '=', windowStart(name))
        .executeTakeFirst()
      if (row && row.hits >= limits[name].hits * scale) throw refuse(name)
    },
    async count(name, subject) {
      await add(name, subject)
    },
    async use(name, subject) {
      if ((await add(name, subject)) > limits[name].hits * scale) throw refuse(name)
    },
    async clear(name, subject) {
      await db.deleteFrom('rate_limits').where('bucket', '=', name).where('subject', '=', subject).execute()
    },
  }
}
