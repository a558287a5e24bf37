import { refundPrecedence } from './payments.rules.ts'

/** The reason of a refund that a change of the session brought, not its end. */
export const refundedForChange = 'moved to a cheaper choice'

/**
 * The refunds of an appointment. Pence; `changePence` is the part that was refunded for a change. `failed`: the bank
 * returned a refund that the back office has not yet paid in another way; `failedPence` is what the client lacks of it.
 * `transferredPence` is the part that the back office has paid by bank transfer.
 */
export type RefundSum = {
  amountPence: number
  changePence: number
  failedPence: number
  transferredPence: number
  state: 'requested' | 'succeeded' | 'failed'
}

type RefundRow = {
  appointment_id: string
  payment_intent_id: string
  amount_pence: number
  state: 'requested' | 'succeeded' | 'failed' | 'paid_otherwise' | 'withdrawn'
  reason: string
  is_open_failure: boolean
  /** Of a failed refund: what the client has paid with its payment and does not have back, nor will have. */
  rest_pence: number | null
}

/**
 * The oldest failed refund with a discount that a refund of this amount makes again: no admin has dealt with it, and no refund
 * has made it again before. A refund for a change makes none again. `refunds`: of one session, oldest first.
 */
export function refundedAgain<
  Refund extends Omit<RefundRow, 'appointment_id' | 'payment_intent_id' | 'rest_pence'> & {
    discount_pence: number
  },
>(refunds: readonly Refund[], amountPence: number): Refund | undefined {
  let madeAgain = 0
  let failed: Refund | undefined
  for (const refund of refunds.toReversed()) {
    if (refund.amount_pence !== amountPence || refund.discount_pence === 0 || refund.state === 'withdrawn')
      continue
    if (refund.state === 'failed') {
      if (madeAgain > 0) madeAgain--
      else if (refund.is_open_failure) failed = refund
    }
    if (refund.reason !== refundedForChange) madeAgain++
  }
  return failed
}

/** Sums refunds by their appointments. */
export function sumRefunds(refunds: readonly RefundRow[]): Map<string, RefundSum> {
  const sums = new Map<string, RefundSum>()
  const failedOf = new Map<string, number>()
  for (const refund of refunds) {
    const hasFailed = refund.state === 'failed'
    if (refund.state === 'withdrawn' || (hasFailed && !refund.is_open_failure)) continue
    const failed = failedOf.get(refund.payment_intent_id) ?? 0
    const amountPence = hasFailed
      ? Math.min(refund.amount_pence, (refund.rest_pence ?? 0) - failed)
      : refund.amount_pence
    if (amountPence <= 0) continue
    if (hasFailed) failedOf.set(refund.payment_intent_id, failed + amountPence)
    const sum = sums.get(refund.appointment_id) ?? {
      amountPence: 0,
      changePence: 0,
      failedPence: 0,
      transferredPence: 0,
      state: 'succeeded' as const,
    }
    const state = hasFailed ? 'failed' : refund.state === 'requested' ? 'requested' : 'succeeded'
    sums.set(refund.appointment_id, {
      amountPence: sum.amountPence + amountPence,
      changePence: sum.changePence + (refund.reason === refundedForChange ? amountPence : 0),
      failedPence: sum.failedPence + (hasFailed ? amountPence : 0),
      transferredPence: sum.transferredPence + (refund.state === 'paid_otherwise' ? amountPence : 0),
      state: refundPrecedence.find((each) => each === state || each === sum.state) ?? state,
    })
  }
  return sums
}
