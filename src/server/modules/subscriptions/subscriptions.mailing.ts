import { later, minutes } from '../../clock.ts'
import type { Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { type Mailer, MailRefused } from '../../integrations/mail/port.ts'
import type { Accounts } from '../accounts/accounts.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import * as store from './mailing.store.ts'
import { type BillingMail, billingMail } from './subscriptions.mails.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'random' | 'queue' | 'log'> & {
  accounts: Accounts
  practitioners: Practitioners
  mailer: Mailer
  publicUrl: string
}

/** Longer than a mail server may take; whoever has not come back by then has ended in the middle of it. */
const claimLasts = minutes(3)

export type BillingMailing = ReturnType<typeof createBillingMailing>

/** Mails about what the platform charges: a row in the transaction of the change, and a job that sends it once. */
export function createBillingMailing(deps: Dependencies) {
  const { db, clock, random, queue, log, accounts, practitioners, mailer, publicUrl } = deps

  return {
    /** Notes, in the transaction of a change, what to tell the practitioner. */
    async note(
      tx: Tx,
      practitionerId: number,
      kind: store.BillingMailKind,
      facts: store.Facts,
    ): Promise<void> {
      const now = clock.now()
      const id = random.uuid(now)
      await store.insertMail(tx, { id, practitioner_id: practitionerId, kind, facts, created_at: now })
      await queue.enqueue(tx, 'subscriptions.mail', { mail_id: id })
    },

    /** Sends a mail that is due, unless it has been sent. @throws Error to be tried again */
    async send(mailId: string): Promise<void> {
      const mail = await inTransaction(db, (tx) => claim(tx, mailId))
      if (!mail) return
      try {
        await mailer.send(billingMail(mail, { sender: mailer.sender, publicUrl }))
      } catch (error) {
        if (error instanceof MailRefused) {
          log.warn({ mail: mailId, code: error.responseCode }, 'A mail about a charge was refused for good.')
          return store.settleMail(db, mailId, 'refused', clock.now())
        }
        await store.setClaim(db, mailId, null)
        throw error
      }
      await store.settleMail(db, mailId, 'sent', clock.now())
    },
  }

  async function claim(tx: Tx, mailId: string): Promise<BillingMail | undefined> {
    const row = await store.lockMail(tx, mailId)
    if (!row) return undefined
    if (row.claimed_until && row.claimed_until > clock.now()) throw new Error('This mail is on its way.')
    const account = await practitioners.accountOf(tx, row.practitioner_id)
    const to = account && (await accounts.person(tx, account))
    if (!to) {
      await store.settleMail(tx, mailId, 'dropped', clock.now())
      return undefined
    }
    await store.setClaim(tx, mailId, later(clock.now(), claimLasts))
    return { id: row.id, kind: row.kind, facts: row.facts as store.Facts, to, happenedAt: row.created_at }
  }
}
