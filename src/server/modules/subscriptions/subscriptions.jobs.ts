import { defineJob } from '../../jobs/queue.ts'

export const subscriptionsSweepJob = defineJob('subscriptions.sweep', { every: '* * * * *' })
export const subscriptionsRenewJob = defineJob<{ subscription_id: string }>('subscriptions.renew', {
  retryLimit: 10,
  retryDelayMax: 900,
})
