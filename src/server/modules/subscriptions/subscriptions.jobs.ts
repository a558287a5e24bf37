import { defineJob } from '../../jobs/queue.ts'

export const subscriptionsSweepJob = defineJob('subscriptions.sweep', {
  retryLimit: 3,
  retryDelay: 5,
  retryDelayMax: 60,
  every: '* * * * *',
})
export const subscriptionsRenewJob = defineJob<{ subscription_id: string }>('subscriptions.renew', {
  retryLimit: 10,
  retryDelay: 5,
  retryDelayMax: 900,
})
