import { dayInLondon, days, later } from '../../clock.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import type { Caller } from '../../http/caller.ts'
import { addView, deleteViews } from './dashboard/dashboard.store.ts'
import type { Practitioners } from './practitioners.service.ts'

type Dependencies = Pick<Deps, 'db' | 'clock'> & {
  practitioners: Pick<Practitioners, 'requireListed'>
  /** Whether a visit from an address has not been counted for a profile lately. Held in memory alone, for a while. */
  isNew(subject: string): boolean
}

/** How long counts are kept: a little longer than the twelve months that the dashboard shows. */
const viewsKept = days(400)
/** Counts that one statement deletes, and how many statements an hour has for it. */
const deleteBatch = 5000
const deleteBatches = 20

/** User agents of programs that identify themselves. */
const program = /bot|crawl|spider|slurp|preview|monitor|headless|lighthouse/i

export type ProfileViews = ReturnType<typeof createProfileViews>

/**
 * Counts the views of a profile by day, and stores nothing about the viewer. The page sends a view once it runs in a
 * browser, since the page itself may come from a cache. Views of practitioners and admins do not count.
 */
export function createProfileViews({ db, clock, practitioners, isNew }: Dependencies) {
  return {
    /** @throws 404 unless listed */
    async count(
      caller: Caller,
      id: number,
      { address, userAgent }: { address: string; userAgent: string | undefined },
    ): Promise<'success'> {
      await practitioners.requireListed(db, id)
      const isClient = caller.role === 'visitor' || caller.role === 'client'
      if (!isClient || !userAgent || program.test(userAgent) || !isNew(`${id} ${address}`)) return 'success'
      await inTransaction(db, (tx) => addView(tx, id, dayInLondon(clock.now())))
      return 'success'
    },

    async tidy(): Promise<void> {
      const before = dayInLondon(later(clock.now(), -viewsKept))
      for (let batches = deleteBatches; batches > 0; batches--) {
        if ((await deleteViews(db, before, deleteBatch)) < deleteBatch) return
      }
    },
  }
}
