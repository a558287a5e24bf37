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
export const subscriptionsMailJob = defineJob<{ mail_id: string }>('subscriptions.mail', {
  retryLimit: 45,
  retryDelay: 5,
  retryDelayMax: 3600,
})
export const subscriptionsVideoOrderedJob = defineJob<{ practitioner_id: number }>(
  'subscriptions.video-ordered',
  { retryLimit: 45, retryDelay: 5, retryDelayMax: 3600 },
)
export const subscriptionsVideoMailJob = defineJob<{ mail_id: string }>('subscriptions.video-mail', {
  retryLimit: 45,
  retryDelay: 5,
  retryDelayMax: 3600,
})
