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
const compareRetries = { retryDelay: 60, retryDelayMax: 600 }
/** Begins a night. What the release before enqueues to continue one is this as well. */
export const paymentsCompareJob = defineJob('payments.compare', { ...compareRetries, every: '23 3 * * *' })
/** Continues it. One waits at a time. */
export const paymentsCompareRestJob = defineJob('payments.compare-rest', {
  ...compareRetries,
  isSingleton: true,
})
/** Scheduled; `once` marks an additional run. */
export const paymentsRecoverJob = defineJob<{ once?: true }>('payments.recover', {
  retryLimit: 0,
  every: '* * * * *',
})
