import type { z } from 'zod'
import type { Shortlist } from '#contract/shortlist.ts'
import { shortlistedByClient } from '#contract/shortlist-limits.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fail } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import * as store from './shortlist.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock'> & { practitioners: Pick<Practitioners, 'listedIds'> }
type List = z.infer<typeof Shortlist>

export type Shortlists = ReturnType<typeof createShortlist>

/** The practitioners whom clients keep in mind. Such a choice reveals health, so it is never logged. */
export function createShortlist({ db, clock, practitioners }: Dependencies) {
  const listOf = async (handle: typeof db, clientId: string): Promise<List> => ({
    practitioner_ids: await store.readIds(handle, clientId),
  })

  return {
    of: (caller: SignedIn): Promise<List> => listOf(db, caller.accountId),

    /** Adds those who are listed. @throws 409 `conflict` if there would be too many */
    async add(caller: SignedIn, ids: number[]): Promise<List> {
      return inTransaction(db, async (tx) => {
        await store.lockList(tx, caller.accountId)
        await store.insert(tx, caller.accountId, await practitioners.listedIds(tx, ids), clock.now())
        const list = await listOf(tx, caller.accountId)
        if (list.practitioner_ids.length > shortlistedByClient) {
          throw fail(
            'conflict',
            `Your shortlist holds up to ${shortlistedByClient} people. Take some off before you add more.`,
          )
        }
        return list
      })
    },

    async remove(caller: SignedIn, ids: number[]): Promise<List> {
      return inTransaction(db, async (tx) => {
        await store.remove(tx, caller.accountId, ids)
        return listOf(tx, caller.accountId)
      })
    },
  }
}
