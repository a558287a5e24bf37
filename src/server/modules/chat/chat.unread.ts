import { createHash } from 'node:crypto'
import { days, hours, later, minutes } from '../../clock.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { type Mailer, MailRefused } from '../../integrations/mail/port.ts'
import type { Accounts } from '../accounts/accounts.service.ts'
import type { Notifications } from '../notifications/notifications.service.ts'
import { errorName } from '../../errors.ts'
import { chatUnreadMailJob } from './chat.jobs.ts'
import { unreadMail } from './chat.mails.ts'
import * as store from './unread.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'queue' | 'live' | 'log'> & {
  accounts: Pick<Accounts, 'person' | 'roleOf'>
  notifications: Pick<Notifications, 'wantsUnreadMail' | 'stopLink' | 'notify'>
  mailer: Mailer
  publicUrl: string
}

/** How long a message may stay unread before its reader is mailed. */
const patience = minutes(15)
/** At most one mail about a dialog in this time. */
const pause = hours(24)
/** Older unread messages were mailed about already, or never will be. */
const forgottenAfter = days(3)
/** Longer than a mail server may take: a worker that has not returned by then has crashed. */
const claimLasts = minutes(3)
const batch = 500

/** Builds the message id of a mail: stable per mail, and short enough for one header line. */
function nameOf({ dialog_id, account_id }: store.Reader, seq: number): string {
  return createHash('sha256').update(`${dialog_id} ${account_id} ${seq}`).digest('hex').slice(0, 32)
}

export type Unread = ReturnType<typeof createUnread>

/** Notifies readers of unread messages: by push at once, by mail after a while, if it is still unread then. */
export function createUnread(deps: Dependencies) {
  const { db, clock, queue, live, log, accounts, notifications, mailer, publicUrl } = deps

  const times = () => {
    const now = clock.now()
    return { now, unreadSince: later(now, -patience), mailedBefore: later(now, -pause) }
  }

  return {
    /** Enqueues the unread mails that are due. */
    async sweep(): Promise<void> {
      const activeSince = later(clock.now(), -forgottenAfter)
      for (const reader of await store.listDue(db, { ...times(), activeSince }, batch))
        await queue.enqueue(db, chatUnreadMailJob, reader)
    },

    /** Sends a mail that is due, unless it is not any more. @throws Error to be tried again */
    async sendMail(reader: store.Reader): Promise<void> {
      const { account_id: accountId, dialog_id: dialogId } = reader
      const seq = await inTransaction(db, async (tx) =>
        (await notifications.wantsUnreadMail(tx, accountId))
          ? store.claim(tx, reader, { ...times(), until: later(clock.now(), claimLasts) })
          : undefined,
      )
      const to = seq === undefined ? undefined : await accounts.person(db, accountId)
      const role = to && (await accounts.roleOf(db, accountId))
      if (seq === undefined || !to || !role) return
      const stopUrl = notifications.stopLink(accountId, 'unread mail')
      try {
        await mailer.send({
          ...unreadMail({ to, role, dialogId, stopUrl, publicUrl }),
          messageId: `unread-${nameOf(reader, seq)}@${mailer.sender.address.split('@').at(-1)}`,
        })
      } catch (error) {
        if (!(error instanceof MailRefused)) {
          await store.setClaim(db, reader, null)
          throw error
        }
        log.warn({ code: error.responseCode }, 'A mail about an unread message was refused for good.')
      }
      await store.setMailed(db, reader, { mailed_seq: seq, mailed_at: clock.now() })
    },

    /**
     * Notifies the devices of a reader who is not connected that a message is committed. Runs in the background: the
     * writer does not wait for it. If a crash loses the push, the unread mail still follows.
     */
    push: (message: { dialogId: string; seq: number; recipientId: string }): void => void push(message),
  }

  async function push({
    dialogId,
    seq,
    recipientId,
  }: {
    dialogId: string
    seq: number
    recipientId: string
  }) {
    try {
      if (await live.isOnline(recipientId)) return
      if (!(await store.isUnread(db, { dialog_id: dialogId, account_id: recipientId }, seq))) return
      await notifications.notify(db, [recipientId], { kind: 'message', path: `/chat?dialogId=${dialogId}` })
    } catch (error) {
      log.warn({ err: { name: errorName(error) } }, 'A notification was not sent.')
    }
  }
}
