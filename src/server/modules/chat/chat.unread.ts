import { days, hours, later, minutes } from '../../clock.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import type { Accounts } from '../accounts/accounts.service.ts'
import type { Mails } from '../mails/mails.service.ts'
import type { Notifications } from '../notifications/notifications.service.ts'
import { errorName } from '../../errors.ts'
import { attempt } from '../../jobs/attempt.ts'
import { unreadMail } from './chat.mails.ts'
import * as store from './unread.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'live' | 'log' | 'publicUrl'> & {
  mails: Mails
  accounts: Pick<Accounts, 'person' | 'roleOf'>
  notifications: Pick<Notifications, 'wantsUnreadMail' | 'stopLink' | 'notify'>
}

/** How long a message may stay unread before its reader is mailed. */
const patience = minutes(15)
/** At most one mail about a dialog in this time. */
const pause = hours(24)
/** Older unread messages were mailed about already, or never will be. */
const forgottenAfter = days(3)
/** The queue has given up a mail that is unsent for longer. */
const givenUpAfter = days(2)
const batch = 500

export type Unread = ReturnType<typeof createUnread>

/** Notifies readers of unread messages: by push at once, by mail after a while, if it is still unread then. */
export function createUnread(deps: Dependencies) {
  const { db, clock, live, log, mails, accounts, notifications, publicUrl } = deps

  const times = () => {
    const now = clock.now()
    return {
      now,
      unreadSince: later(now, -patience),
      mailedBefore: later(now, -pause),
      triedSince: later(now, -givenUpAfter),
    }
  }

  // In order, so that of two mails to one reader the second finds the first sent, and is dropped.
  mails.template('chat.unread', {
    inOrder: true,
    idPrefix: 'unread',
    async load(tx, { id, subject_id: dialogId, recipient: accountId }) {
      const isWanted = await notifications.wantsUnreadMail(tx, accountId)
      const seq = isWanted
        ? await store.findDue(tx, { dialog_id: dialogId, account_id: accountId }, times())
        : undefined
      const to = await accounts.person(tx, accountId)
      const role = to && (await accounts.roleOf(tx, accountId))
      if (seq === undefined || !to || !role) return 'obsolete'
      await mails.setData(tx, id, { seq })
      const stopUrl = notifications.stopLink(accountId, 'unread mail')
      return unreadMail({ to, role, dialogId, stopUrl, publicUrl })
    },
  })

  return {
    /** Enqueues the unread mails that are due. */
    async sweep(): Promise<void> {
      const activeSince = later(clock.now(), -forgottenAfter)
      for (const { dialog_id, account_id } of await store.listDue(db, { ...times(), activeSince }, batch)) {
        await attempt(log, 'mailing about a message', () =>
          inTransaction(db, (tx) =>
            mails.enqueue(tx, {
              template: 'chat.unread',
              about: { type: 'dialog', id: dialog_id },
              recipient: account_id,
              accountId: account_id,
            }),
          ),
        )
      }
    },

    /**
     * Notifies the devices of readers who are not connected that messages are committed. Runs in the background: the
     * writers do not wait for it. If a crash loses the push, the unread mail still follows.
     */
    push: (messages: readonly store.Received[]): void => void push(messages),
  }

  async function push(messages: readonly store.Received[]): Promise<void> {
    try {
      const online = await Promise.all(messages.map(({ account_id }) => live.isOnline(account_id)))
      const away = messages.filter((_, index) => !online[index])
      if (away.length === 0) return
      for (const { dialog_id, account_id } of await store.listUnread(db, away)) {
        await notifications.notify(db, [account_id], { kind: 'message', path: `/chat?dialogId=${dialog_id}` })
      }
    } catch (error) {
      log.warn({ err: { name: errorName(error) } }, 'A notification was not sent.')
    }
  }
}
