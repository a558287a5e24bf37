import { defineJob } from '../../jobs/queue.ts'

export const paymentsFinishJob = defineJob<{ intent_id: string }>('payments.settle', {
  retryLimit: 20,
  retryDelayMax: 3600,
})
export const paymentsRefundJob = defineJob<{ refund_id: string }>('payments.refund', {
  retryLimit: 40,
  retryDelayMax: 3600,
})
export const paymentsDeleteCardsJob = defineJob<{ account_id: string }>('payments.forget-cards', {
  retryLimit: 40,
  retryDelayMax: 3600,
})
export const paymentsRemoveCardJob = defineJob<{ method_id: string }>('payments.remove-card', {
  retryLimit: 40,
  retryDelayMax: 3600,
})
export const paymentsFinishChargeJob = defineJob<{ charge_id: string }>('payments.settle-charge', {
  retryLimit: 20,
  retryDelayMax: 3600,
})
export const paymentsLookAgainJob = defineJob<{ payment_key: string }>('payments.look-again', {
  retryLimit: 20,
  retryDelayMax: 3600,
})
/** Scheduled; `isRest` marks what continues it in the same night. */
export const paymentsCompareJob = defineJob<{ isRest?: true }>('payments.compare', {
  retryDelay: 60,
  retryDelayMax: 600,
  every: '23 3 * * *',
})
/** Scheduled; `once` marks an additional run. */
export const paymentsRecoverJob = defineJob<{ once?: true }>('payments.recover', {
  retryLimit: 0,
  every: '* * * * *',
})
