import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Clock, days, hours, later, minutes, seconds } from '../clock.ts'
import type { Db } from '../db/connection.ts'
import { fail } from '../errors.ts'
import { hashSecret } from '../ids.ts'
import { faded, oneFits, rounding, secondsUntilOneFits } from './sliding-limit.ts'

/** What may be done how often. Counted in the database, so that all instances share the count. */
export const limits = {
  'sign-in failures of an account': { hits: 10, window: minutes(15) },
  'sign-in failures in a known browser': { hits: 10, window: minutes(15) },
  'sign-in failures at a known address': { hits: 10, window: minutes(15) },
  'sign-in failures from an address': { hits: 100, window: minutes(15) },
  'confirmations of an account': { hits: 10, window: minutes(15) },
  'sign-ins handed over from an address': { hits: 600, window: hours(1) },
  'registrations from an address': { hits: 200, window: hours(1) },
  'password mails to an account': { hits: 5, window: hours(1) },
  'confirmation mails to an account': { hits: 5, window: hours(1) },
  'confirmation mails from an address': { hits: 50, window: hours(1) },
  'email changes of an account': { hits: 5, window: hours(1) },
  'email changes from an address': { hits: 50, window: hours(1) },
  'exports of an account': { hits: 20, window: hours(1) },
  'password mails from an address': { hits: 100, window: hours(1) },
  'referral codes from an address': { hits: 100, window: hours(1) },
  'reports of an account': { hits: 30, window: hours(1) },
  'new cards of a client': { hits: 10, window: hours(1) },
  'cards begun by an account': { hits: 20, window: hours(1) },
  'searches for help of a client': { hits: 20, window: hours(1) },
  'declined payments of a client': { hits: 5, window: hours(1) },
  'uploads of an account': { hits: 60, window: hours(1) },
  'uploads from an address': { hits: 300, window: hours(1) },
  'dialogs opened by an account': { hits: 30, window: hours(1) },
  'dialogs opened from an address': { hits: 150, window: hours(1) },
} as const
export type LimitName = keyof typeof limits

export type Limits = {
  /** Counts one, and refuses it when that is one too many. @throws 429 with Retry-After */
  use(name: LimitName, subject: string): Promise<void>
  /** Takes back one that turned out not to count. */
  giveBack(name: LimitName, subject: string): Promise<void>
  /**
   * Counts one whose outcome will say whether it counts. While others like it are under way and may be given back, it
   * waits for them rather than being refused; so never more than the limit are tried, over all instances, and none is
   * refused because of one that did not count. @throws 429 with Retry-After
   */
  take(name: LimitName, subject: string): Promise<Taken>
  clear(name: LimitName, subject: string): Promise<void>
  /** Forgets counts that no longer matter. */
  tidy(): Promise<void>
}

/** One that has been counted beforehand. One of these is called, once. */
export type Taken = {
  /** It counts. */
  keep(): Promise<void>
  /** It does not count. */
  giveBack(): Promise<void>
  /** It does not count, and neither does what came before it. */
  forgive(): Promise<void>
}

/**
 * How long one waits for others under way without anything coming of them: one that a crash left so counts in the end.
 * And how long at most. In real time.
 */
const patience = seconds(5)
const longest = seconds(20)

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
      .select(['window_start', 'hits', 'under_way'])
      .where('bucket', '=', name)
      .where('subject', '=', keyOf(subject))
      .where('window_start', 'in', [start, before])
      .execute()
    const hitsIn = (windowStart: Date) =>
      rows.find((row) => row.window_start.getTime() === windowStart.getTime())?.hits ?? 0
    const underWay = rows.reduce((sum, row) => sum + row.under_way, 0)
    return { counts: { current: hitsIn(start), previous: hitsIn(before) }, underWay, start, window, now }
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
  const add = async (name: LimitName, subject: string, start: Date, most: number, underWay = 0) => {
    const row = await db
      .insertInto('rate_limits')
      .values({
        bucket: name,
        subject: keyOf(subject),
        window_start: start,
        hits: 1,
        under_way: underWay,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['bucket', 'subject', 'window_start'])
          .doUpdateSet((eb) => ({
            hits: eb('rate_limits.hits', '+', 1),
            under_way: eb('rate_limits.under_way', '+', underWay),
          }))
          .where('rate_limits.hits', '<', most),
      )
      .returning('hits')
      .executeTakeFirst()
    return row !== undefined
  }

  /** How one that was taken in the window that began at `start` is brought to its end. */
  const taken = (name: LimitName, subject: string, start: Date): Taken => {
    const key = keyOf(subject)
    return {
      async keep() {
        // Cleared meanwhile, it counts all the same.
        await db
          .insertInto('rate_limits')
          .values({ bucket: name, subject: key, window_start: start, hits: 1 })
          .onConflict((conflict) =>
            conflict
              .columns(['bucket', 'subject', 'window_start'])
              .doUpdateSet({ under_way: sql`greatest(rate_limits.under_way - 1, 0)` }),
          )
          .execute()
      },
      async giveBack() {
        await db
          .updateTable('rate_limits')
          .set((eb) => ({ hits: eb('hits', '-', 1), under_way: eb('under_way', '-', 1) }))
          .where('bucket', '=', name)
          .where('subject', '=', key)
          .where('window_start', '=', start)
          .where('under_way', '>', 0)
          .execute()
      },
      async forgive() {
        // Others that are under way go on counting.
        const others = sql<number>`greatest(under_way - (window_start = ${start})::int, 0)`
        await db
          .updateTable('rate_limits')
          .set({ hits: others, under_way: others })
          .where('bucket', '=', name)
          .where('subject', '=', key)
          .execute()
      },
    }
  }

  return {
    async use(name, subject) {
      const reading = await read(name, subject)
      const { counts, start } = reading
      const limit = most(name, reading)
      // Others may be counting at the same moment: the row itself has the last word.
      if (!fits(name, reading) || !(await add(name, subject, start, limit))) {
        throw refusal(name, { ...reading, counts: { ...counts, current: Math.max(counts.current, limit) } })
      }
    },
    async take(name, subject) {
      const started = performance.now()
      let moved = { at: started, state: '' }
      // Many may be waiting: they ask less and less often.
      for (let pause = 5; ; pause = Math.min(pause * 1.4, 150)) {
        const reading = await read(name, subject)
        const { start, underWay } = reading
        const now = performance.now()
        const state = JSON.stringify([reading.counts, underWay])
        if (state !== moved.state) moved = { at: now, state }
        if (fits(name, reading)) {
          if (await add(name, subject, start, most(name, reading), 1)) return taken(name, subject, start)
        } else if (underWay === 0 || now - moved.at > patience || now - started > longest) {
          throw refusal(name, reading)
        }
        await sleep(pause * (0.5 + Math.random()))
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

/** A subject as it is stored: a digest, since emails and addresses are among them. */
function keyOf(subject: string): string {
  return hashSecret(subject).toString('base64url')
}
