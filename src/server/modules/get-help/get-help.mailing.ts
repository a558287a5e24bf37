import { later, minutes } from '../../clock.ts'
import type { Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { type Mailer, MailRefused } from '../../integrations/mail/port.ts'
import type { Accounts } from '../accounts/accounts.service.ts'
import type { Payments } from '../payments/payments.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import { getHelpMailJob } from './get-help.jobs.ts'
import { type HelpMail, helpMail } from './get-help.mails.ts'
import { moneyState } from './get-help.rules.ts'
import { findDispatch, findOffer } from './get-help.store.ts'
import * as store from './mailing.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'random' | 'queue' | 'log'> & {
  accounts: Accounts
  practitioners: Practitioners
  payments: Payments
  mailer: Mailer
  publicUrl: string
}

/** Longer than a mail server may take: a worker that has not returned by then has crashed. */
const claimLasts = minutes(3)

export type HelpMailing = ReturnType<typeof createHelpMailing>

/** Mails about a search for help. Each is a row in the transaction of the change and a job that sends it once. */
export function createHelpMailing(deps: Dependencies) {
  const { db, clock, random, queue, log, accounts, practitioners, payments, mailer, publicUrl } = deps

  return {
    note,

    /** Notes a mail that the payment was released, for a client who was promised the release. */
    async released(tx: Tx, appointmentId: string): Promise<void> {
      const row = await findDispatch(tx, appointmentId)
      if (row?.state === 'nobody' && (await store.isOut(tx, appointmentId, 'nobody'))) {
        await note(tx, appointmentId, 'returned')
      }
    },

    /** Sends a mail, unless it was sent already or is obsolete. @throws Error so that the job is retried */
    async send(mailId: string): Promise<void> {
      const mail = await inTransaction(db, (tx) => claim(tx, mailId))
      if (!mail) return
      try {
        await mailer.send(helpMail(mail, { sender: mailer.sender, publicUrl }))
      } catch (error) {
        if (error instanceof MailRefused) {
          log.warn({ mail: mailId, code: error.responseCode }, 'A mail about help was refused for good.')
          return store.settleMail(db, mailId, 'refused', clock.now())
        }
        await store.setClaim(db, mailId, null)
        throw error
      }
      await store.settleMail(db, mailId, 'sent', clock.now())
    },
  }

  /** Inserts a mail and enqueues its job, in the transaction of the change. */
  async function note(
    tx: Tx,
    appointmentId: string,
    kind: store.HelpMailKind,
    offerId: string | null = null,
  ): Promise<void> {
    const now = clock.now()
    const id = random.uuid(now)
    const isNew = await store.insertMail(tx, {
      id,
      appointment_id: appointmentId,
      kind,
      offer_id: offerId,
      created_at: now,
    })
    if (isNew) await queue.enqueue(tx, getHelpMailJob, { mail_id: id })
  }

  /** Claims an unsent mail and builds its content. Drops an obsolete mail. */
  async function claim(tx: Tx, mailId: string): Promise<HelpMail | undefined> {
    const mail = await store.lockMail(tx, mailId)
    if (!mail) return undefined
    if (mail.claimed_until && mail.claimed_until > clock.now()) throw new Error('This mail is on its way.')
    const content = await contentOf(tx, mail)
    if (!content) {
      await store.settleMail(tx, mailId, 'dropped', clock.now())
      return undefined
    }
    await store.setClaim(tx, mailId, later(clock.now(), claimLasts))
    return content
  }

  type Row = NonNullable<Awaited<ReturnType<typeof store.lockMail>>>

  /** Returns undefined if the recipient was deleted or the mail is obsolete. */
  async function contentOf(tx: Tx, mail: Row): Promise<HelpMail | undefined> {
    const row = await findDispatch(tx, mail.appointment_id)
    if (!row) return undefined
    const offer = mail.offer_id === null ? undefined : await findOffer(tx, mail.offer_id)
    if (mail.kind === 'asked' && (offer?.state !== 'open' || offer.answer_by <= clock.now())) return undefined
    const practitionerId = offer?.practitioner_id ?? row.practitioner_id
    const account = mail.kind === 'asked' ? await practitioners.accountOf(tx, practitionerId) : row.client_id
    const to = account && (await accounts.person(tx, account))
    const card = (await practitioners.cards(tx, [practitionerId])).get(practitionerId)
    if (!to || !card) return undefined
    const intents = await payments.standings(tx, mail.appointment_id)
    return {
      id: mail.id,
      kind: mail.kind,
      to,
      practitionerName: card.full_name,
      pricePence: row.fee_pence,
      answerBy: offer ? clockTime(offer.answer_by, card.timezone) : null,
      isReturned: moneyState({ intents, refund: undefined }) === 'returned',
      happenedAt: mail.created_at,
    }
  }
}

/** 14:03. */
const clockTime = (instant: Date, timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone }).format(
    instant,
  )
