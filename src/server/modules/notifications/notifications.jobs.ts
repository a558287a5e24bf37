import { defineJob } from '../../jobs/queue.ts'

export const notificationsPushJob = defineJob<{
  subscription_id: string
  /** Of whom it is for: the browser may be another account's by then. Jobs of the release before do not say. */
  account_id?: string
  kind: 'message' | 'instant-offer' | 'session' | 'session-begins' | 'waitlist-offer'
  path: string
  /** When it was enqueued, ISO 8601. Jobs of the release before do not say. */
  at?: string
  /** Until when it is of use, where that is known, ISO 8601. */
  until?: string
}>('notices.push', { retryLimit: 6, retryDelayMax: 300, workers: 4 })
