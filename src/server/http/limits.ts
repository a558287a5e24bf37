import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Clock, days, later, seconds } from '../clock.ts'
import type { Db } from '../db/connection.ts'
import { fail } from '../errors.ts'
import { hashSecret } from '../ids.ts'
import { faded, oneFits, rounding, secondsUntilOneFits } from './sliding-limit.ts'

/**
 * How often an action may happen within a window of milliseconds. `name` is the key that counts are stored under, shared
 * by all instances: a limit that is renamed starts at zero.
 */
export type Limit = { name: string; hits: number; window: number }

/** Declares a limit. Modules declare theirs in `x.limits.ts`. */
export const defineLimit = (name: string, { hits, window }: Omit<Limit, 'name'>): Limit => ({
  name,
  hits,
  window,
})

export type Limits = {
  /** Counts one, and refuses it when that is one too many. @throws 429 with Retry-After */
  use(limit: Limit, subject: string): Promise<void>
  /** Uncounts one that turned out not to count. */
  giveBack(limit: Limit, subject: string): Promise<void>
  /**
   * Counts one in advance; its outcome decides whether it stays counted. At the limit, it waits for others under way,
   * which may be given back. So no more than the limit are tried over all instances, and none is refused because of one
   * that did not count. @throws 429 with Retry-After
   */
  take(limit: Limit, subject: string): Promise<Taken>
  clear(limit: Limit, subject: string): Promise<void>
  /** Deletes expired counts. */
  tidy(): Promise<void>
}

/** One that is counted in advance. Exactly one of its methods is called, once. */
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
const maxWaitMs = seconds(20)

/**
 * Counted by fixed windows, of which the one before is weighed by how much of it still lies within the last `window`:
 * so there is no burst at a window's edge.
 */
export function createLimits(db: Db, clock: Clock, scale: number): Limits {
  const allowedOf = (limit: Limit) => limit.hits * scale

  const windowStart = (limit: Limit, now: number) => new Date(Math.floor(now / limit.window) * limit.window)

  /** A subject's hits now, and which windows they are counted in. */
  const read = async (limit: Limit, subject: string) => {
    const { window } = limit
    const now = clock.now().getTime()
    const start = windowStart(limit, now)
    const before = later(start, -window)
    const rows = await db
      .selectFrom('rate_limits')
      .select(['window_start', 'hits', 'under_way'])
      .where('bucket', '=', limit.name)
      .where('subject', '=', keyOf(subject))
      .where('window_start', 'in', [start, before])
      .execute()
    const hitsIn = (windowStart: Date) =>
      rows.find((row) => row.window_start.getTime() === windowStart.getTime())?.hits ?? 0
    const underWay = rows.reduce((sum, row) => sum + row.under_way, 0)
    return { counts: { current: hitsIn(start), previous: hitsIn(before) }, underWay, start, window, now }
  }

  type Reading = Awaited<ReturnType<typeof read>>
  const fits = (limit: Limit, { counts, window, now }: Reading) =>
    oneFits(counts, allowedOf(limit), window, now)
  /** How many this window may hold, given what still counts of the one before. */
  const maxHits = (limit: Limit, { counts, window, now }: Reading) =>
    Math.floor(allowedOf(limit) - faded(counts.previous, window, now) + rounding)
  const refusal = (limit: Limit, { counts, window, now }: Reading) =>
    fail('too_many_requests', 'Too many attempts. Please wait a little and try again.', {
      retryAfter: secondsUntilOneFits(counts, allowedOf(limit), window, now),
    })

  /** Counts one, unless there are `maxInWindow` in this window already. Whether it was counted. */
  const add = async (limit: Limit, subject: string, start: Date, maxInWindow: number, underWay = 0) => {
    const row = await db
      .insertInto('rate_limits')
      .values({
        bucket: limit.name,
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
          .where('rate_limits.hits', '<', maxInWindow),
      )
      .returning('hits')
      .executeTakeFirst()
    return row !== undefined
  }

  /** How one that was taken in the window that began at `start` is brought to its end. */
  const taken = (limit: Limit, subject: string, start: Date): Taken => {
    const key = keyOf(subject)
    return {
      async keep() {
        // Cleared meanwhile, it counts all the same.
        await db
          .insertInto('rate_limits')
          .values({ bucket: limit.name, subject: key, window_start: start, hits: 1 })
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
          .where('bucket', '=', limit.name)
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
          .where('bucket', '=', limit.name)
          .where('subject', '=', key)
          .execute()
      },
    }
  }

  return {
    async use(limit, subject) {
      const reading = await read(limit, subject)
      const { counts, start } = reading
      const allowed = maxHits(limit, reading)
      // Others may be counting at the same moment: the row itself has the last word.
      if (!fits(limit, reading) || !(await add(limit, subject, start, allowed))) {
        throw refusal(limit, {
          ...reading,
          counts: { ...counts, current: Math.max(counts.current, allowed) },
        })
      }
    },
    async take(limit, subject) {
      const started = performance.now()
      let moved = { at: started, state: '' }
      // Many may be waiting: they ask less and less often.
      for (let pause = 5; ; pause = Math.min(pause * 1.4, 150)) {
        const reading = await read(limit, subject)
        const { start, underWay } = reading
        const now = performance.now()
        const state = JSON.stringify([reading.counts, underWay])
        if (state !== moved.state) moved = { at: now, state }
        if (fits(limit, reading)) {
          if (await add(limit, subject, start, maxHits(limit, reading), 1))
            return taken(limit, subject, start)
        } else if (underWay === 0 || now - moved.at > patience || now - started > maxWaitMs) {
          throw refusal(limit, reading)
        }
        await sleep(pause * (0.5 + Math.random()))
      }
    },
    async giveBack(limit, subject) {
      await db
        .updateTable('rate_limits')
        .set((eb) => ({ hits: eb('hits', '-', 1) }))
        .where('bucket', '=', limit.name)
        .where('subject', '=', keyOf(subject))
        .where('window_start', '=', windowStart(limit, clock.now().getTime()))
        .where('hits', '>', 0)
        .execute()
    },
    async clear(limit, subject) {
      await db
        .deleteFrom('rate_limits')
        .where('bucket', '=', limit.name)
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
