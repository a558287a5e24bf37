import type { EventBus } from '../../events.ts'
import type { Queue } from '../../jobs/queue.ts'
import type { Chat } from './chat.service.ts'
import type { Unread } from './chat.unread.ts'

export function chatJobs(queue: Queue, unread: Unread): void {
  queue.handle('chat.unread-sweep', () => unread.sweep())
  queue.handle('chat.unread-mail', (reader) => unread.sendMail(reader))
}

/** What ends somebody's chat: their sockets look again whether they may stay. */
export function chatEndings(events: EventBus, chat: Pick<Chat, 'recheckAfter'>): void {
  events.on('sign-in.ended', async (tx, { accountId }) => chat.recheckAfter(tx, accountId))
  events.on('practitioner.suspended', async (tx, { accountId }) => chat.recheckAfter(tx, accountId))
  events.on('practitioner.closed', async (tx, { accountId }) => chat.recheckAfter(tx, accountId))
}
