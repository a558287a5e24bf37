import { days, hours, later, minutes, seconds } from '../../clock.ts'
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

/** How long a message may stay unread before the devices of a reader who is connected are notified. */
const pushAfter = minutes(1)
const lookEvery = seconds(10)
/** How long a message may stay unread before its reader is mailed. */
const patience = minutes(15)
/** At most one mail about a dialog in this time. */
const pause = hours(24)
/** Older unread messages were mailed about already, or never will be. */
const forgottenAfter = days(3)
/** The queue has given up a mail that is unsent for longer. */
const givenUpAfter = days(2)
const batch = 500

/** Of the messages of a dialog that came to a reader who was connected: the first that may be unread, and the last. */
type Waiting = Record<'first' | 'last', { message: store.Received; at: Date }>

export type Unread = ReturnType<typeof createUnread>

/**
 * Notifies readers of unread messages: by push at once or, if they are connected, after a minute; by mail after a while, if
 * it is still unread then.
 */
export function createUnread(deps: Dependencies) {
  const { db, clock, live, log, mails, accounts, notifications, publicUrl } = deps
  const waiting = new Map<string, Waiting>()
  let timer: NodeJS.Timeout | undefined

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
     * Notifies the devices of readers that messages are committed. Who is connected may only have left a page open, and is
     * notified of what is unread after a minute. Runs in the background: the writers do not wait for it. If a crash loses
     * the push, the unread mail still follows.
     */
    push: (messages: readonly store.Received[]): void => void logged(() => push(messages)),

    /** Notifies those of the connected readers whose minute is over. This instance does so every few seconds. */
    pushWaiting,

    stop(): void {
      waiting.clear()
      clearTimeout(timer)
    },
  }

  async function push(messages: readonly store.Received[]): Promise<void> {
    const at = clock.now()
    const online = await Promise.all(messages.map(({ account_id }) => live.isOnline(account_id)))
    for (const message of messages.filter((_, index) => online[index])) {
      const key = keyOf(message)
      const last = { message, at }
      waiting.set(key, { first: waiting.get(key)?.first ?? last, last })
    }
    lookAgain()
    const away = messages.filter((_, index) => !online[index])
    if (away.length === 0) return
    // The same notification covers what came before the page was closed.
    for (const message of away) waiting.delete(keyOf(message))
    await notify(await store.listUnread(db, away))
  }

  async function pushWaiting(): Promise<void> {
    const until = later(clock.now(), -pushAfter)
    const due = [...waiting].filter(([, { first }]) => first.at <= until)
    if (due.length === 0) return
    const unread = await store.listUnread(
      db,
      due.map(([, { first }]) => first.message),
    )
    const isUnread = new Set(unread.map(keyOf))
    for (const [key, { first }] of due) {
      const last = waiting.get(key)?.last
      waiting.delete(key)
      // The first was read, and those after it may not be.
      if (last && !isUnread.has(key) && last.message.seq > first.message.seq)
        waiting.set(key, { first: last, last })
    }
    await notify(unread)
  }

  async function notify(readers: readonly store.Reader[]): Promise<void> {
    for (const { dialog_id, account_id } of readers) {
      await notifications.notify(db, [account_id], { kind: 'message', path: `/chat?dialogId=${dialog_id}` })
    }
  }

  function lookAgain(): void {
    if (waiting.size === 0) return
    timer ??= setTimeout(() => {
      void logged(pushWaiting).then(() => {
        timer = undefined
        lookAgain()
      })
    }, lookEvery).unref()
  }

  async function logged(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      log.warn({ err: { name: errorName(error) } }, 'A notification was not sent.')
    }
  }
}

const keyOf = ({ dialog_id, account_id }: store.Reader) => `${dialog_id} ${account_id}`
