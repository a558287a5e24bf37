import type { EventBus } from '../../events.ts'
import type { Queue } from '../../jobs/queue.ts'
import type { Notices } from './notices.service.ts'

export function noticeJobs(queue: Queue, events: EventBus, notices: Notices): void {
  queue.handle('notices.push', (notice) => notices.deliver(notice))
  events.on('sign-in.ended', (tx, { accountId }) => notices.ended(tx, accountId))
}
