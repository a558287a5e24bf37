import { type Clock, days, hours, later, minutes } from '../clock.ts'
import type { Db } from '../db/connection.ts'
import { fail } from '../errors.ts'
import { hashSecret } from '../ids.ts'
import { faded, oneFits, rounding, secondsUntilOneFits } from './sliding-limit.ts'

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
  /** How many more are allowed now. Counts nothing. @throws 429 with Retry-After when there are none */
  check(name: LimitName, subject: string): Promise<number>
  /** Counts one. */
  count(name: LimitName, subject: string): Promise<void>
  /** Counts one, and refuses it when that is one too many. */
  use(name: LimitName, subject: string): Promise<void>
  /** Takes back one that turned out not to count. */
  giveBack(name: LimitName, subject: string): Promise<void>
  clear(name: LimitName, subject: string): Promise<void>
  /** Forgets counts that no longer matter. */
  tidy(): Promise<void>
}

/**
 * Counted by fixed windows, of which the one before is weighed by how much of it still lies within the last `window`:
 * so there is no burst at a window's edge.
 */
export function createLimits(db: Db, clock: Clock, scale: number): Limits {
  const allowedOf = (name: LimitName) => limits[name].hits * scale

  const windowStart = (name: LimitName, now: number) =>
    new Date(Math.floor(now / limits[name].window) * limits[name].window)

  /** A subject's hits now, and which windows they are counted in. */
  const read = async (name: LimitName, subject: string) => {
    const { window } = limits[name]
    const now = clock.now().getTime()
    const start = windowStart(name, now)
    const before = later(start, -window)
    const rows = await db
      .selectFrom('rate_limits')
      .select(['window_start', 'hits'])
      .where('bucket', '=', name)
      .where('subject', '=', keyOf(subject))
      .where('window_start', 'in', [start, before])
      .execute()
    const hitsIn = (windowStart: Date) =>
      rows.find((row) => row.window_start.getTime() === windowStart.getTime())?.hits ?? 0
    return { counts: { current: hitsIn(start), previous: hitsIn(before) }, start, window, now }
  }

  type Reading = Awaited<ReturnType<typeof read>>
  const fits = (name: LimitName, { counts, window, now }: Reading) =>
    oneFits(counts, allowedOf(name), window, now)
  /** How many this window may hold, given what still counts of the one before. */
  const most = (name: LimitName, { counts, window, now }: Reading) =>
    Math.floor(allowedOf(name) - faded(counts.previous, window, now) + rounding)
  const refusal = (name: LimitName, { counts, window, now }: Reading) =>
    fail('too_many_requests', 'Too many attempts. Please wait a little and try again.', {
      retryAfter: secondsUntilOneFits(counts, allowedOf(name), window, now),
    })

  /** Counts one, unless there are `most` in this window already. Whether it was counted. */
  const add = async (name: LimitName, subject: string, start: Date, most = Number.POSITIVE_INFINITY) => {
    const row = await db
      .insertInto('rate_limits')
      .values({ bucket: name, subject: keyOf(subject), window_start: start, hits: 1 })
      .onConflict((conflict) => {
        const counted = conflict
          .columns(['bucket', 'subject', 'window_start'])
          .doUpdateSet((eb) => ({ hits: eb('rate_limits.hits', '+', 1) }))
        return Number.isFinite(most) ? counted.where('rate_limits.hits', '<', most) : counted
      })
      .returning('hits')
      .executeTakeFirst()
    return row !== undefined
  }

  return {
    async check(name, subject) {
      const reading = await read(name, subject)
      if (!fits(name, reading)) throw refusal(name, reading)
      return most(name, reading) - reading.counts.current
    },
    async count(name, subject) {
      await add(name, subject, windowStart(name, clock.now().getTime()))
    },
    async use(name, subject) {
      const reading = await read(name, subject)
      const { counts, start } = reading
      const limit = most(name, reading)
      // Others may be counting at the same moment: the row itself has the last word.
      if (!fits(name, reading) || !(await add(name, subject, start, limit))) {
        throw refusal(name, { ...reading, counts: { ...counts, current: Math.max(counts.current, limit) } })
      }
    },
    async giveBack(name, subject) {
      await db
        .updateTable('rate_limits')
        .set((eb) => ({ hits: eb('hits', '-', 1) }))
        .where('bucket', '=', name)
        .where('subject', '=', keyOf(subject))
        .where('window_start', '=', windowStart(name, clock.now().getTime()))
        .where('hits', '>', 0)
        .execute()
    },
    async clear(name, subject) {
      await db
        .deleteFrom('rate_limits')
        .where('bucket', '=', name)
        .where('subject', '=', keyOf(subject))
        .execute()
    },
    async tidy() {
      await db
        .deleteFrom('rate_limits')
        .where('window_start', '<', later(clock.now(), -days(1)))
        .execute()
    },
  }
}

/** A subject as it is stored: what a proxy says of an address may be longer than an index takes. */
function keyOf(subject: string): string {
  return subject.length <= 300 ? subject : hashSecret(subject).toString('hex')
}
