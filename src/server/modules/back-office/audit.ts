import type { Clock } from '../../clock.ts'
import type { Tx } from '../../db/connection.ts'
import type { SignedIn } from '../../http/caller.ts'
import { insertEntry, type NewEntry } from './back-office.store.ts'

/** Writes an audit entry for an act of an admin, in the transaction of the act. */
export const createAudit =
  ({ clock }: { clock: Clock }) =>
  (tx: Tx, caller: SignedIn, act: Omit<NewEntry, 'at' | 'actor_id' | 'actor_name'>): Promise<void> =>
    insertEntry(tx, { at: clock.now(), actor_id: caller.accountId, ...act })
