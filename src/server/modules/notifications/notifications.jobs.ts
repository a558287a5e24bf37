import { defineJob } from '../../jobs/queue.ts'

/** A push message that is hours late is obsolete. */
export const notificationsPushJob = defineJob<{
  subscription_id: string
  kind: 'message' | 'instant-offer' | 'session' | 'waitlist-offer'
  path: string
}>('notices.push', { retryLimit: 6, retryDelay: 5, retryDelayMax: 300, workers: 4 })
