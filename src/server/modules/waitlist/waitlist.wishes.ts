import type { SearchWish } from '#contract/waitlist/waitlist.ts'
import { PractitionerQuery } from '#contract/search.ts'
import { searchWishesPerClient } from '#contract/waitlist/waitlist-limits.ts'
import { hours, later } from '../../clock.ts'
import { inTransaction } from '../../db/transaction.ts'
import { attempt } from '../../jobs/attempt.ts'
import { fail, invalidField, notFound } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import type { WaitlistDependencies } from './waitlist.deps.ts'
import { searchWishesOfClient } from './waitlist.limits.ts'
import { toWish } from './waitlist.mapper.ts'
import { lifetimes } from './waitlist.rules.ts'
import * as wishStore from './wishes.store.ts'
import * as store from './waitlist.store.ts'

/** Parameters of a search that are no filters. */
const notKept = new Set(['sort', 'page', 'per_page', 'counts'])
/** How many wishes one sweep looks at. */
const sweepBatch = 200

export type SearchWishes = ReturnType<typeof createSearchWishes>

/** Searches without a result, of which a client wants to hear. What they searched for is sealed. */
export function createSearchWishes(deps: WaitlistDependencies) {
  const { db, clock, random, limits, secrets, log, outbox, lookups } = deps

  const opened = (row: wishStore.WishRow) =>
    JSON.parse(secrets.open('search wish', row.id, row.sealed_filters).toString()) as Record<string, string>

  return {
    /** @throws 409 `conflict` if there would be too many; 422 `filters` */
    async add(caller: SignedIn, sent: Record<string, string>): Promise<SearchWish> {
      const filters = filtersOf(sent)
      await limits.use(searchWishesOfClient, caller.accountId)
      return inTransaction(db, async (tx) => {
        await store.lockClient(tx, caller.accountId)
        const before = await wishStore.listWishesOf(tx, caller.accountId)
        const same = before.find((row) => JSON.stringify(opened(row)) === JSON.stringify(filters))
        if (same) return toWish(same, filters)
        if (before.length >= searchWishesPerClient) throw tooMany()
        const now = clock.now()
        const id = random.uuid(now)
        await wishStore.insertWish(tx, {
          id,
          client_id: caller.accountId,
          sealed_filters: secrets.seal('search wish', id, Buffer.from(JSON.stringify(filters))),
          created_at: now,
          ends_at: later(now, lifetimes.wish),
        })
        const row = await wishStore.findWish(tx, id)
        if (!row) throw new Error('A search wish has gone.')
        return toWish(row, filters)
      })
    },

    async of(caller: SignedIn): Promise<SearchWish[]> {
      return (await wishStore.listWishesOf(db, caller.accountId)).map((row) => toWish(row, opened(row)))
    },

    /** @throws 404 */
    async remove(caller: SignedIn, id: string): Promise<'success'> {
      if (!(await wishStore.deleteWish(db, id, caller.accountId))) throw notFound('This search')
      return 'success'
    },

    opened,

    /** Looks every hour whether a search finds a practitioner, and mails at most once in three days. */
    async sweep(): Promise<void> {
      const now = clock.now()
      await wishStore.deleteEndedWishes(db, now)
      const mailedBefore = later(now, -lifetimes.betweenWishMails)
      const due = { lookedBefore: later(now, -hours(1)), mailedBefore, now }
      for (const row of await wishStore.listWishesToLookAt(db, due, sweepBatch)) {
        await attempt(log, 'looking at a search wish', async () => {
          const hasFound = (await lookups().countMatches(db, opened(row))) > 0
          await inTransaction(db, async (tx) => {
            if (!(await wishStore.markWish(tx, row.id, now, hasFound ? mailedBefore : null)) || !hasFound)
              return
            await outbox.note(tx, 'wish', { type: 'search-wish', id: row.id }, row.client_id, now.getTime())
          })
        })
      }
    },
  }
}

/** What is kept of a search, in a fixed order. @throws 422 `filters` */
function filtersOf(sent: Record<string, string>): Record<string, string> {
  const parsed = PractitionerQuery.safeParse(sent)
  if (!parsed.success) throw invalidField('filters', 'These are not filters of a search.')
  const names = Object.keys(parsed.data).filter((name) => !notKept.has(name))
  const kept = names.sort().flatMap((name) => (sent[name] ? [[name, sent[name]] as const] : []))
  if (kept.length === 0) throw invalidField('filters', 'Choose at least one filter.')
  return Object.fromEntries(kept)
}

const tooMany = () =>
  fail(
    'conflict',
    `We keep up to ${searchWishesPerClient} searches for you. Remove one of them before you add another.`,
  )
