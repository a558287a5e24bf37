import type { EventBus } from '../../events.ts'
import { defineJob, type Queue } from '../../jobs/queue.ts'
import type { Chat } from './chat.service.ts'
import type { Unread } from './chat.unread.ts'

export const chatUnreadSweepJob = defineJob('chat.unread-sweep', {
  retryLimit: 3,
  retryDelay: 5,
  retryDelayMax: 60,
  every: '* * * * *',
})
export const chatUnreadMailJob = defineJob<{ dialog_id: string; account_id: string }>('chat.unread-mail', {
  retryLimit: 10,
  retryDelay: 5,
  retryDelayMax: 900,
  workers: 4,
})

export function chatJobs(queue: Queue, unread: Unread): void {
  queue.handle(chatUnreadSweepJob, () => unread.sweep())
  queue.handle(chatUnreadMailJob, (reader) => unread.sendMail(reader))
}

/** What ends somebody's chat: their sockets look again whether they may stay. */
export function chatEndings(events: EventBus, chat: Pick<Chat, 'recheckAfter'>): void {
  events.on('sign-in.ended', async (tx, { accountId }) => chat.recheckAfter(tx, accountId))
  events.on('practitioner.suspended', async (tx, { accountId }) => chat.recheckAfter(tx, accountId))
  events.on('practitioner.closed', async (tx, { accountId }) => chat.recheckAfter(tx, accountId))
}
