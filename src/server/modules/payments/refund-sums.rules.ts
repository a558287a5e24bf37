import { refundPrecedence } from './payments.rules.ts'

/** The reason of a refund that a change of the session brought, not its end. */
export const refundedForChange = 'moved to a cheaper choice'

/**
 * The refunds of an appointment. Pence; `changePence` is the part that was refunded for a change. `failed`: the bank
 * returned a refund that the back office has not yet paid in another way.
 */
export type RefundSum = {
  amountPence: number
  changePence: number
  state: 'requested' | 'succeeded' | 'failed'
}

type RefundRow = {
  appointment_id: string
  amount_pence: number
  state: 'requested' | 'succeeded' | 'failed' | 'paid_otherwise' | 'withdrawn'
  reason: string
  is_open_failure: boolean
}

/** Sums refunds by their appointments. */
export function sumRefunds(refunds: readonly RefundRow[]): Map<string, RefundSum> {
  const sums = new Map<string, RefundSum>()
  for (const refund of refunds) {
    const hasFailed = refund.state === 'failed'
    if (refund.state === 'withdrawn' || refund.amount_pence === 0 || (hasFailed && !refund.is_open_failure))
      continue
    const sum = sums.get(refund.appointment_id) ?? {
      amountPence: 0,
      changePence: 0,
      state: 'succeeded' as const,
    }
    const state = hasFailed ? 'failed' : refund.state === 'requested' ? 'requested' : 'succeeded'
    sums.set(refund.appointment_id, {
      amountPence: sum.amountPence + refund.amount_pence,
      changePence: sum.changePence + (refund.reason === refundedForChange ? refund.amount_pence : 0),
      state: refundPrecedence.find((each) => each === state || each === sum.state) ?? state,
    })
  }
  return sums
}
