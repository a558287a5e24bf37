import { later, minutes } from '../../clock.ts'
import type { Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { type Mail, type Mailer, MailRefused } from '../../integrations/mail/port.ts'
import type { Accounts } from '../accounts/accounts.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import * as store from './mailing.store.ts'
import { subscriptionsMailJob, subscriptionsVideoMailJob } from './subscriptions.jobs.ts'
import { billingMail } from './subscriptions.mails.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'random' | 'queue' | 'log'> & {
  accounts: Accounts
  practitioners: Practitioners
  mailer: Mailer
  publicUrl: string
}

/** Longer than a mail server takes to reply. A claim that is older belongs to a process that ended while sending. */
const claimLasts = minutes(3)

/** Builds the copies of a mail, one for each address. Undefined if it is obsolete, or its recipient was deleted. */
export type Compose = (tx: Tx, row: store.MailRow, facts: store.Facts) => Promise<Mail[] | undefined>

export type BillingMailing = ReturnType<typeof createBillingMailing>

/**
 * Mails about practitioners' payments. A mail is a row, inserted in the transaction of its change; a job sends it
 * once.
 */
export function createBillingMailing(deps: Dependencies) {
  const { db, clock, random, queue, log, accounts, practitioners, mailer, publicUrl } = deps

  return {
    /** Inserts a mail to the practitioner, in the transaction of its change. */
    async note(
      tx: Tx,
      practitionerId: number,
      kind: store.BillingMailKind,
      facts: store.Facts,
    ): Promise<void> {
      await queue.enqueue(tx, subscriptionsMailJob, {
        mail_id: await insert(tx, practitionerId, kind, facts),
      })
    },

    /** As `note`, for a video order. It uses a separate job, because an earlier release does not know these mails. */
    async noteVideo(tx: Tx, practitionerId: number, kind: store.VideoMailKind, step: number): Promise<void> {
      const mailId = await insert(tx, practitionerId, kind, { step })
      await queue.enqueue(tx, subscriptionsVideoMailJob, { mail_id: mailId })
    },

    /** Sends a mail that is due, unless it was sent. @throws Error for the queue to retry */
    send: (mailId: string): Promise<void> => deliver(mailId, composeBilling),

    deliver,
  }

  async function insert(
    tx: Tx,
    practitionerId: number,
    kind: store.BillingMailKind | store.VideoMailKind,
    facts: store.Facts,
  ): Promise<string> {
    const now = clock.now()
    const id = random.uuid(now)
    await store.insertMail(tx, { id, practitioner_id: practitionerId, kind, facts, created_at: now })
    return id
  }

  /** Sends a mail that is due, unless it was sent. @throws Error for the queue to retry */
  async function deliver(mailId: string, compose: Compose): Promise<void> {
    const copies = await inTransaction(db, (tx) => claim(tx, mailId, compose))
    if (!copies) return
    let refused = 0
    for (const copy of copies) {
      try {
        await mailer.send(copy)
      } catch (error) {
        if (!(error instanceof MailRefused)) {
          await store.setClaim(db, mailId, null)
          throw error
        }
        log.warn({ mail: mailId, code: error.responseCode }, 'A mail about a charge was refused for good.')
        refused++
      }
    }
    await store.settleMail(db, mailId, refused === copies.length ? 'refused' : 'sent', clock.now())
  }

  async function claim(tx: Tx, mailId: string, compose: Compose): Promise<Mail[] | undefined> {
    const row = await store.lockMail(tx, mailId)
    if (!row) return undefined
    if (row.claimed_until && row.claimed_until > clock.now()) throw new Error('This mail is on its way.')
    const copies = await compose(tx, row, row.facts as store.Facts)
    if (!copies || copies.length === 0) {
      await store.settleMail(tx, mailId, 'dropped', clock.now())
      return undefined
    }
    await store.setClaim(tx, mailId, later(clock.now(), claimLasts))
    return copies
  }

  async function composeBilling(tx: Tx, row: store.MailRow, facts: store.Facts): Promise<Mail[] | undefined> {
    const account = await practitioners.accountOf(tx, row.practitioner_id)
    const to = account && (await accounts.person(tx, account))
    if (!to) return undefined
    const { id, created_at } = row
    const kind = row.kind as store.BillingMailKind
    return [
      billingMail({ id, kind, facts, to, happenedAt: created_at }, { sender: mailer.sender, publicUrl }),
    ]
  }
}
