import type { Db } from '../../db/connection.ts'
import type { Deps } from '../../deps.ts'
import { ProductError } from '../../errors.ts'
import { findAccountOf } from './cards.store.ts'
import { declinedPaymentsOfClient } from './payments.limits.ts'

type Declined = { on_session: boolean } & ({ payment_method_id: string } | { account_id: string })

/**
 * Counts a decline that the bank gave after it had asked the client, as one at once is counted: the limit guards against
 * cards that are tried out. Past the limit there is nothing more to count.
 */
export async function countDecline(
  { db, limits }: { db: Db } & Pick<Deps, 'limits'>,
  payment: Declined,
): Promise<void> {
  if (!payment.on_session) return
  const accountId =
    'account_id' in payment ? payment.account_id : await findAccountOf(db, payment.payment_method_id)
  if (accountId === undefined) return
  await limits.use(declinedPaymentsOfClient, accountId).catch((error: unknown) => {
    if (!(error instanceof ProductError && error.code === 'too_many_requests')) throw error
  })
}
