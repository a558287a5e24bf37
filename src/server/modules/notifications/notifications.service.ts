import { createHash } from 'node:crypto'
import type { NotificationChoices, NotificationKind, PushNotification } from '#contract/notifications.ts'
import type { AnswerOf, BodyOf } from '#contract/endpoints.ts'
import { days, later, seconds } from '../../clock.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fail, invalidField, notFound } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import type { PushSender } from '../../integrations/push/port.ts'
import { notificationsPushJob } from './notifications.jobs.ts'
import * as store from './notifications.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'random' | 'queue' | 'secrets' | 'publicUrl' | 'log'> & {
  push: PushSender
}

/** Most browsers of one account. */
const maxBrowsers = 20

/** Seconds for which a notification is of use, from when it is enqueued and unless its end is given, and its urgency. */
const lasting: Record<NotificationKind, { ttl: number; urgency: 'normal' | 'high' }> = {
  message: { ttl: 24 * 3600, urgency: 'normal' },
  'instant-offer': { ttl: 120, urgency: 'high' },
  session: { ttl: 72 * 3600, urgency: 'high' },
  'session-begins': { ttl: 15 * 60, urgency: 'high' },
  'waitlist-offer': { ttl: 4 * 3600, urgency: 'high' },
}

/**
 * For how long a browser whose address is gone can give its new one. A push may find the former one gone before the browser,
 * which was off, hears of it.
 */
const renewedWithin = days(28)

/** Mails that can be turned off by a link in them, each with the choice that it turns off. */
const stoppable = { 'unread mail': 'unread_mail', 'session reminders': 'session_reminders' } as const
export type StoppableMail = keyof typeof stoppable

export type Notifications = ReturnType<typeof createNotifications>

/** Notifications to an account that is not on the page: by mail where chosen, and by push to its browsers. */
export function createNotifications(dependencies: Dependencies) {
  const { db, clock, random, queue, secrets, push, publicUrl, log } = dependencies
  return {
    async choices(caller: SignedIn): Promise<AnswerOf<'GET /notices'>> {
      return {
        ...(await store.readChoices(db, caller.accountId)),
        push_key: push.publicKey,
        push_endpoints: await store.readEndpoints(db, caller.accountId),
      }
    },

    /** Updates the settings that are given. */
    async choose(caller: SignedIn, choices: BodyOf<'PUT /notices'>): Promise<NotificationChoices> {
      const given = Object.fromEntries(
        Object.entries(choices).filter(([, isWanted]) => isWanted !== undefined),
      )
      await store.setChoices(db, caller.accountId, given)
      return store.readChoices(db, caller.accountId)
    },

    /** Shows notifications in a browser. @throws 422 for what is not the address of a push service that we call; 409 in too many */
    async subscribe(caller: SignedIn, { endpoint, keys }: BodyOf<'POST /notices/push'>): Promise<'success'> {
      requireAllowed(endpoint)
      const known = await store.readEndpoints(db, caller.accountId)
      if (known.length >= maxBrowsers && !known.includes(endpoint)) {
        throw fail(
          'conflict',
          `Notifications are on in ${maxBrowsers} browsers already. On your account page, open Signed-in devices and sign out one that you no longer use. Then try again here.`,
        )
      }
      const now = clock.now()
      await store.saveSubscription(db, {
        id: random.uuid(now),
        login_session_id: caller.loginSessionId,
        endpoint,
        p256dh: Buffer.from(keys.p256dh, 'base64url'),
        auth: Buffer.from(keys.auth, 'base64url'),
        created_at: now,
      })
      return 'success'
    },

    /**
     * Moves a subscription to the new address of its browser. Knowing the former one with its secret shows that it is the browser.
     * @throws 422 for what is not the address of a push service that we call; 404 for a former one that is not subscribed
     */
    async renew({ former, endpoint, keys }: BodyOf<'POST /notices/push/renew'>): Promise<'success'> {
      requireAllowed(endpoint)
      const isKnown = await inTransaction(db, (tx) =>
        store.moveSubscription(
          tx,
          { endpoint: former.endpoint, auth: Buffer.from(former.auth, 'base64url') },
          {
            endpoint,
            p256dh: Buffer.from(keys.p256dh, 'base64url'),
            auth: Buffer.from(keys.auth, 'base64url'),
          },
        ),
      )
      if (!isKnown) throw notFound('This browser')
      return 'success'
    },

    async unsubscribe(caller: SignedIn, endpoint: string): Promise<'success'> {
      await store.removeSubscription(db, caller.accountId, endpoint)
      return 'success'
    },

    /** Turns mails of a kind off, by the link of one. @throws 422 `invalid_token` */
    async stopMails(token: string): Promise<'success'> {
      const { accountId, kind } = meantBy(token)
      await store.setChoices(db, accountId, { [stoppable[kind]]: false })
      return 'success'
    },

    // For later modules ------------------------------------------------------------------------------------------------

    wantsUnreadMail: async (handle: Db, accountId: string) =>
      (await store.readChoices(handle, accountId)).unread_mail,
    wantsSessionReminders: async (handle: Db, accountId: string) =>
      (await store.readChoices(handle, accountId)).session_reminders,

    /** A link that turns mails of a kind off without a sign-in. It works for as long as the key is kept. */
    stopLink(accountId: string, kind: StoppableMail): string {
      const token = secrets.seal('unsubscribing', kind, Buffer.from(accountId)).toString('base64url')
      // For the words on the page alone.
      const about = kind === 'session reminders' ? '&about=reminders' : ''
      return `${publicUrl}/unsubscribe?token=${token}${about}`
    },

    /**
     * Sends a notification to each subscribed browser of the accounts. It says what it is about, where a click leads
     * and for which role, and nothing of its content. `until`: when it ends to be of use. In a transaction, it is on its way
     * exactly if that commits.
     */
    async notify(
      handle: Db,
      accountIds: readonly string[],
      { kind, path, until }: { kind: NotificationKind; path: string; until?: Date | undefined },
    ): Promise<void> {
      if (accountIds.length === 0) return
      const at = clock.now().toISOString()
      // A push service that hangs may keep others waiting for minutes, and these are of use for no longer.
      const isUrgent = kind !== 'message' && kind !== 'session'
      for (const { id, account_id } of await store.listSubscriptions(handle, accountIds)) {
        const end = until && { until: until.toISOString() }
        const data = { subscription_id: id, account_id, kind, path, at, ...end }
        await queue.enqueue(handle, notificationsPushJob, data, { isUrgent })
      }
    },

    /**
     * Sends a push message, unless it has waited for longer than it is of use. A subscription that its push service no
     * longer knows gets no more. @throws Error to be retried
     */
    async deliver({
      subscription_id: id,
      account_id: accountId,
      kind,
      path,
      at,
      until,
    }: { subscription_id: string; account_id?: string; at?: string; until?: string } & Pick<
      PushNotification,
      'kind' | 'path'
    >): Promise<void> {
      // A release after this one may have enqueued it, of a kind that is unknown here.
      const { ttl, urgency } = (lasting as Partial<typeof lasting>)[kind] ?? lasting.session
      const now = clock.now()
      const endsAt =
        until === undefined ? later(at === undefined ? now : new Date(at), seconds(ttl)) : new Date(until)
      const left = Math.ceil((endsAt.getTime() - now.getTime()) / 1000)
      if (left <= 0) return
      const target = await store.findSubscription(db, id)
      if (!target || (accountId !== undefined && accountId !== target.account_id)) return
      const notification: PushNotification = {
        kind,
        path,
        role: target.role,
        ...(kind === 'instant-offer' ? { seconds: left, ends_at: endsAt.toISOString() } : {}),
      }
      const outcome = await push.send(target, {
        text: JSON.stringify(notification),
        ttl: left,
        urgency,
        topic: createHash('sha256').update(`${kind} ${path}`).digest('base64url').slice(0, 32),
      })
      if (outcome === 'gone') await store.setGone(db, id, target.endpoint, clock.now())
      // The path of an endpoint names the browser.
      else if (outcome !== 'taken') {
        log.warn(
          { host: new URL(target.endpoint).hostname, status: outcome.rejectedWith },
          'A push service rejected a notification.',
        )
      }
    },

    /** Deletes the subscriptions of browsers that are no longer signed in. */
    ended: (tx: Tx, accountId: string) => store.deleteEnded(tx, accountId),
    async tidy(): Promise<void> {
      await store.deleteEnded(db)
      await store.deleteGoneBefore(db, later(clock.now(), -renewedWithin))
    },
  }

  function requireAllowed(endpoint: string): void {
    if (!push.allows(endpoint))
      throw invalidField('endpoint', 'We cannot send notifications to this kind of browser.')
  }

  function meantBy(token: string): { accountId: string; kind: StoppableMail } {
    for (const kind of Object.keys(stoppable) as StoppableMail[]) {
      try {
        const accountId = secrets.open('unsubscribing', kind, Buffer.from(token, 'base64url')).toString()
        return { accountId, kind }
      } catch {
        // Of another kind, or none.
      }
    }
    throw fail('invalid_token', 'This link is incomplete. You can turn emails off on your account page.')
  }
}
