import type { EventBus } from '../../events.ts'
import { defineJob, type Queue } from '../../jobs/queue.ts'
import type { Notices } from './notices.service.ts'

/** A notice that is hours late is worth nothing. */
export const noticesPushJob = defineJob<{
  subscription_id: string
  kind: 'message' | 'instant-offer' | 'session'
  path: string
}>('notices.push', { retryLimit: 6, retryDelay: 5, retryDelayMax: 300, workers: 4 })

export function noticeJobs(queue: Queue, events: EventBus, notices: Notices): void {
  queue.handle(noticesPushJob, (notice) => notices.deliver(notice))
  events.on('sign-in.ended', (tx, { accountId }) => notices.ended(tx, accountId))
}
