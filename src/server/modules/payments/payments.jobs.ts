import { defineJob, type Queue } from '../../jobs/queue.ts'
import type { Payments } from './payments.service.ts'
import type { PaymentsShare } from './payments.share.ts'

export const paymentsSettleJob = defineJob<{ intent_id: string }>('payments.settle', {
  retryLimit: 20,
  retryDelay: 5,
  retryDelayMax: 3600,
})
export const paymentsRefundJob = defineJob<{ refund_id: string }>('payments.refund', {
  retryLimit: 40,
  retryDelay: 5,
  retryDelayMax: 3600,
})
export const paymentsForgetCardsJob = defineJob<{ account_id: string }>('payments.forget-cards', {
  retryLimit: 40,
  retryDelay: 5,
  retryDelayMax: 3600,
})
export const paymentsRemoveCardJob = defineJob<{ method_id: string }>('payments.remove-card', {
  retryLimit: 40,
  retryDelay: 5,
  retryDelayMax: 3600,
})
export const paymentsSettleChargeJob = defineJob<{ charge_id: string }>('payments.settle-charge', {
  retryLimit: 20,
  retryDelay: 5,
  retryDelayMax: 3600,
})
export const paymentsLookAgainJob = defineJob<{ payment_key: string }>('payments.look-again', {
  retryLimit: 20,
  retryDelay: 5,
  retryDelayMax: 3600,
})
export const paymentsCompareJob = defineJob('payments.compare', {
  retryLimit: 3,
  retryDelay: 60,
  retryDelayMax: 600,
  every: '23 3 * * *',
})
/** Comes again by itself. */
export const paymentsRecoverJob = defineJob<{ once?: true }>('payments.recover', {
  retryLimit: 0,
  retryDelay: 5,
  retryDelayMax: 60,
  every: '* * * * *',
})

export function paymentJobs(queue: Queue, payments: Payments, share: PaymentsShare): void {
  queue.handle(paymentsSettleJob, ({ intent_id }) => payments.settle(intent_id))
  queue.handle(paymentsRefundJob, ({ refund_id }) => payments.settleRefund(refund_id))
  queue.handle(paymentsSettleChargeJob, ({ charge_id }) => payments.settleCharge(charge_id))
  queue.handle(paymentsLookAgainJob, ({ payment_key }) => payments.lookAgain(payment_key))
  queue.handle(paymentsRecoverJob, ({ once }) => payments.recoverNow({ andSoon: !once }))
  queue.handle(paymentsCompareJob, () => payments.compare())
  queue.handle(paymentsRemoveCardJob, ({ method_id }) => payments.removeAtGateway(method_id))
  queue.handle(paymentsForgetCardsJob, ({ account_id }) => share.forgetCards(account_id))
}
