import type { Lookups } from '../../contributions/lookups.ts'
import type { Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import { attempt } from '../../jobs/attempt.ts'
import { postLedger } from './ledger.store.ts'
import { chargedDisputeEntries } from './reconciliation.rules.ts'
import type { FinishingDependencies } from './payments.deps.ts'
import { lockIntent } from './payments.store.ts'
import { discountWithoutPayment, listUncharged, owedOfPayment } from './reconciliation.store.ts'

/**
 * Takes a lost dispute off what its practitioner is owed, once, at most what is still owed of its payment. The caller holds
 * the lock of the payment. Returns how much, in pence.
 */
export async function chargeDispute(
  tx: Tx,
  dispute: { id: string; payment_intent_id: string | null; withdrawn_pence: number },
  practitionerId: number,
  now: Date,
): Promise<number> {
  const { id, payment_intent_id: intentId, withdrawn_pence } = dispute
  if (intentId === null || withdrawn_pence === 0) return 0
  const entries = chargedDisputeEntries({
    practitionerId,
    // What has been refunded, they are not owed as it is.
    amountPence: Math.min(withdrawn_pence, await owedOfPayment(tx, intentId)),
    discountPence: await discountWithoutPayment(tx, intentId),
  })
  if (entries.length > 0) await postLedger(tx, 'dispute_charged', id, now, entries)
  return entries.find(({ account }) => account === 'practitioner_payable')?.amount_pence ?? 0
}

/**
 * Takes the lost disputes that the platform bears off what is owed for a session that does not take place: the client
 * has the money, as by a refund. The caller holds the locks of the payments.
 */
export async function chargeCalledOff(
  tx: Tx,
  appointmentId: string,
  payeeOf: (tx: Tx, appointmentId: string) => Promise<number>,
  now: Date,
): Promise<void> {
  for (const dispute of await listUncharged(tx, appointmentId))
    await chargeDispute(tx, dispute, await payeeOf(tx, appointmentId), now)
}

/**
 * Does the same for sessions of which it has not been done: a refund of theirs may have failed at the bank after the dispute
 * was decided, so that the fee is owed again.
 */
export async function chargeAllCalledOff({
  db,
  clock,
  log,
  lookups,
}: Pick<FinishingDependencies, 'db' | 'clock' | 'log'> & {
  lookups(): Pick<Lookups, 'paidSessions'>
}): Promise<void> {
  const disputes = await listUncharged(db)
  const sessions = await lookups().paidSessions(
    db,
    disputes.map((dispute) => dispute.appointment_id),
  )
  for (const dispute of disputes) {
    const session = sessions.get(dispute.appointment_id)
    if (!session?.isCalledOff) continue
    await attempt(log, 'taking a dispute off what is owed', () =>
      inTransaction(db, async (tx) => {
        await lockIntent(tx, dispute.payment_intent_id)
        await chargeDispute(tx, dispute, session.practitionerId, clock.now())
      }),
    )
  }
}
