import type { Tx } from '../../db/connection.ts'
import { postLedger } from './ledger.store.ts'
import { chargedDisputeEntries } from './reconciliation.rules.ts'
import { discountWithoutPayment, listBorneByPlatform, owedOfPayment } from './reconciliation.store.ts'

/**
 * Takes a lost dispute off what its practitioner is owed, once, at most what is still owed of its payment. The caller holds
 * the lock of the payment.
 */
export async function chargeDispute(
  tx: Tx,
  dispute: { id: string; payment_intent_id: string | null; withdrawn_pence: number },
  practitionerId: number,
  now: Date,
): Promise<void> {
  const { id, payment_intent_id: intentId, withdrawn_pence } = dispute
  if (intentId === null || withdrawn_pence === 0) return
  const entries = chargedDisputeEntries({
    practitionerId,
    // What has been refunded, they are not owed as it is.
    amountPence: Math.min(withdrawn_pence, await owedOfPayment(tx, intentId)),
    discountPence: await discountWithoutPayment(tx, intentId),
  })
  if (entries.length > 0) await postLedger(tx, 'dispute_charged', id, now, entries)
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
  for (const dispute of await listBorneByPlatform(tx, appointmentId))
    await chargeDispute(tx, dispute, await payeeOf(tx, appointmentId), now)
}
