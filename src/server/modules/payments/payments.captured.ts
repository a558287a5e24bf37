import { isGivenBack } from '#contract/money.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { type Captured, whatIsLeft } from './payments.rules.ts'
import { intentsOf } from './payments.store.ts'
import { listOwnRefunds, sumCharged, sumLostDisputes } from './reconciliation.store.ts'
import { refundedAgain, refundedForChange } from './refund-sums.rules.ts'
import { listRefunds } from './refunds.store.ts'

const captured = (db: Db, appointmentIds: string[]) =>
  intentsOf(db, appointmentIds, ['capturing', 'captured'])

/** The captured payments of an appointment that can be refunded, newest first, locked until the transaction ends. */
export async function lockCaptured(tx: Tx, appointmentId: string): Promise<Captured[]> {
  return describe(tx, await captured(tx, [appointmentId]).forUpdate().execute())
}

/** What may still be refunded of some appointments: pence by appointment. */
export async function sumRefundable(db: Db, appointmentIds: string[]): Promise<Map<string, number>> {
  if (appointmentIds.length === 0) return new Map()
  const intents = await captured(db, appointmentIds).execute()
  const payments = await describe(db, intents)
  return new Map(
    appointmentIds.map((id) => {
      const own = new Set(intents.flatMap((intent) => (intent.appointment_id === id ? intent.id : [])))
      return [id, whatIsLeft(payments.filter((payment) => own.has(payment.id))).amountPence]
    }),
  )
}

type FailedRefund = { payment_intent_id: string; discount_pence: number; payment_discount_pence: number }

/**
 * As much of a failed refund's discount as its payment still has: another refund or a lost dispute may have taken it since.
 * Pence.
 */
export async function discountLeftOf(tx: Tx, refund: FailedRefund): Promise<number> {
  const { payment_intent_id: intentId, discount_pence, payment_discount_pence } = refund
  const back = (await listOwnRefunds(tx, intentId)).filter(({ state }) => isGivenBack(state))
  const charged = (await sumCharged(tx, [intentId])).get(intentId)?.discountPence ?? 0
  return Math.min(
    discount_pence,
    back.reduce((left, { discountPence }) => left - discountPence, payment_discount_pence - charged),
  )
}

/** The discount of the failed refund that a refund of this amount makes again; 0 if there is none. Pence. */
export async function discountAgain(tx: Tx, appointmentId: string, amountPence: number): Promise<number> {
  const failed = refundedAgain(await listRefunds(tx, [appointmentId]), amountPence)
  return failed ? discountLeftOf(tx, failed) : 0
}

async function describe(
  db: Db,
  intents: { id: string; appointment_id: string; amount_pence: number; discount_pence: number }[],
): Promise<Captured[]> {
  if (intents.length === 0) return []
  const refunds = await listRefunds(db, [...new Set(intents.map((intent) => intent.appointment_id))])
  const lost = await sumLostDisputes(
    db,
    intents.map(({ id }) => id),
  )
  const charged = await sumCharged(db, [...lost.keys()])
  const payments = intents.map((intent) => {
    const refundsOfIntent = refunds.filter(
      (refund) => refund.payment_intent_id === intent.id && isGivenBack(refund.state),
    )
    const others = refundsOfIntent.filter(({ reason }) => reason !== refundedForChange)
    return {
      id: intent.id,
      amountPence: intent.amount_pence,
      discountPence: intent.discount_pence,
      refundedPence: refundsOfIntent.reduce(
        (sum, refund) => sum + refund.amount_pence,
        Math.min(intent.amount_pence, lost.get(intent.id) ?? 0),
      ),
      otherRefundsPence: others.reduce((sum, refund) => sum + refund.amount_pence, 0),
      undiscountedPence: refundsOfIntent.reduce(
        (sum, refund) => sum + refund.discount_pence,
        charged.get(intent.id)?.discountPence ?? 0,
      ),
      otherUndiscountedPence: others.reduce((sum, refund) => sum + refund.discount_pence, 0),
    }
  })
  // An admin decides who bears a lost dispute, and with it the discount of a payment that it has used up.
  return payments.filter((each) => !lost.has(each.id) || each.amountPence > each.refundedPence)
}
