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
/** For one release: the release before enqueues it. It goes with mails/previous-release.ts. */
export const previousVideoOrderedJob = defineJob<{ practitioner_id: number }>('subscriptions.video-ordered', {
  retryLimit: 45,
  retryDelay: 5,
  retryDelayMax: 3600,
})
