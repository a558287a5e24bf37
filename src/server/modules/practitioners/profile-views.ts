import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import type { Caller } from '../../http/caller.ts'
import { dayInLondon } from './dashboard.rules.ts'
import { addView } from './dashboard.store.ts'
import type { Practitioners } from './practitioners.service.ts'

type Dependencies = Pick<Deps, 'db' | 'clock'> & {
  practitioners: Pick<Practitioners, 'listed'>
  /** Whether somebody at an address has not been counted for a profile lately. Kept in memory alone, for a while. */
  isNew(subject: string): boolean
}

/** Programs that say what they are. */
const program = /bot|crawl|spider|slurp|preview|monitor|headless|lighthouse/i

export type ProfileViews = ReturnType<typeof createProfileViews>

/**
 * Counts how often a profile is opened: a number a day, and nothing of who it was. The page asks for it once it runs in
 * a browser, since the page itself may come from a cache. Practitioners and admins are not counted, nor is their own.
 */
export function createProfileViews({ db, clock, practitioners, isNew }: Dependencies) {
  return {
    /** @throws 404 unless listed */
    async count(
      caller: Caller,
      id: number,
      { address, userAgent }: { address: string; userAgent: string | undefined },
    ): Promise<'success'> {
      if (!(await practitioners.listed(db, id))) throw notFound('This practitioner')
      const isClient = caller.role === 'visitor' || caller.role === 'client'
      if (!isClient || !userAgent || program.test(userAgent) || !isNew(`${id} ${address}`)) return 'success'
      await inTransaction(db, (tx) => addView(tx, id, dayInLondon(clock.now())))
      return 'success'
    },
  }
}
