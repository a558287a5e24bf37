import { later } from '../../clock.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { errorName } from '../../errors.ts'
import { type Mail, MailDeferred, type Mailer, MailRefused } from '../../integrations/mail/port.ts'
import { mailSendJob } from './mails.jobs.ts'
import { claimLasts, isClaimed, keptFor, type MailOutcome } from './mails.rules.ts'
import * as store from './mails.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'random' | 'queue' | 'log' | 'checkpoint'> & {
  mailer: Mailer
}

/** A row of the outbox. `data` is what its template stores with it. */
export type OutgoingMail<Data = unknown> = Omit<store.MailRow, 'data'> & { data: Data }

/** How a kind of mail is written. */
export type Template<Data = unknown> = {
  /**
   * Reads the content at the time of sending. `beside` are the mails that it is in order with, this one included.
   * 'obsolete' drops the mail; 'later' leaves it unsent until `resume` enqueues it.
   */
  load(
    tx: Tx,
    mail: OutgoingMail<Data>,
    beside: readonly OutgoingMail[],
  ): Promise<Mail | 'obsolete' | 'later'>
  /** Sends mails about one subject to one recipient one at a time, and hands all of them to `load`. */
  inOrder?: boolean
  /** Begins the Message-ID; 'mail' when absent. */
  idPrefix?: string | undefined
  /** For a mail that its reader waits for at the screen: it is sent before the others in the queue. */
  isUrgent?: boolean
  /** For a mail to the operator: a refusal of its recipient is retried, and counted as a failure once it is given up. */
  retriesRefusal?: boolean
  /** Called in the transaction that records that the mail was handed over. */
  handedOver?(tx: Tx, mail: OutgoingMail<Data>): Promise<void>
  /** For a mail whose data is personal: its row is deleted once it is settled, and unsent after this time. */
  deleteAfter?: number
}

export type NewMail = {
  template: string
  about: store.About
  /** Which side of the subject the mail goes to, such as 'client'. With the subject, it names an order of mails. */
  recipient: string
  /** The recipient's account. Its erasure deletes the mail. */
  accountId?: string | null
  /** The same for a repetition of the same change. Without it, every mail is new. */
  dedupeKey?: string
  /** Position among the mails about the subject. */
  sequence?: number
  data?: object
}

export type Mails = ReturnType<typeof createMails>

/**
 * The outbox of every mail that the product sends. A mail is a row, inserted in the transaction of its change together
 * with the job that sends it. Its content is read at the time of sending.
 *
 * Guarantees:
 * - A change has one row per recipient, however often it is repeated.
 * - A row is claimed before its mail is sent and settled afterwards, so that two runs of one job send one mail.
 * - Mails of templates with an order go out one at a time for each subject and recipient. An obsolete mail is dropped.
 * - If the process ends after the mail server accepts a mail and before the row is settled, the mail is sent again. It
 *   then has the same Message-ID and date and, unless its subject has changed, the same bytes, which mailboxes show
 *   once. Settling the row first would lose the mail instead.
 */
export function createMails({ db, clock, random, queue, log, mailer, checkpoint }: Dependencies) {
  const templates = new Map<string, Template>()

  return {
    /** Registers how a kind of mail is written. Its name is stored, so the next release has to know it. */
    template<Data = unknown>(name: string, template: Template<Data>): void {
      if (templates.has(name)) throw new Error(`There is a template ${name} already.`)
      templates.set(name, template)
    },

    /** Inserts a mail in the transaction of its change. Does nothing if the same mail exists already. */
    async enqueue(tx: Db, mail: NewMail): Promise<void> {
      const { isUrgent = false } = templateOf(mail)
      const now = clock.now()
      const id = random.uuid(now)
      const isNew = await store.insertMail(tx, {
        id,
        template: mail.template,
        subject_type: mail.about.type,
        subject_id: mail.about.id,
        recipient: mail.recipient,
        account_id: mail.accountId ?? null,
        dedupe_key: mail.dedupeKey ?? `${mail.template} ${id}`,
        sequence: mail.sequence ?? 0,
        data: mail.data ?? {},
        created_at: now,
      })
      if (isNew) await queue.enqueue(tx, mailSendJob, { mail_id: id }, { isUrgent })
    },

    /** Enqueues those of some mails that are not settled: `load` may have left them for later. */
    async resume(tx: Db, rows: readonly Pick<OutgoingMail, 'id' | 'outcome'>[]): Promise<void> {
      for (const { id, outcome } of rows) {
        if (outcome === null) await queue.enqueue(tx, mailSendJob, { mail_id: id })
      }
    },

    /** The mails about a subject, sent or not. */
    about: (handle: Db, about: store.About): Promise<OutgoingMail[]> => store.listMailsAbout(handle, about),

    /** As `about`, once those that are just being read for sending are: what they say then stands. */
    lockAbout: (tx: Tx, about: store.About): Promise<OutgoingMail[]> => store.lockMailsAbout(tx, about),

    /**
     * Drops unsent mails about a subject. One that is being sent just now may still arrive, and is not tried again if it
     * fails. Returns how many were certainly not sent.
     */
    async withdraw(tx: Tx, about: store.About, named: readonly string[], sequence?: number): Promise<number> {
      const rows = (await store.lockUnsentAbout(tx, about)).filter(
        (row) => named.includes(row.template) && (sequence === undefined || row.sequence === sequence),
      )
      for (const row of rows) await settle(tx, row, 'dropped')
      return rows.filter((row) => row.claimed_until === null).length
    },

    /** Replaces the data of a mail, in the transaction of its `load` or after `lockAbout`. */
    setData: (tx: Tx, id: string, data: object): Promise<void> => store.setData(tx, id, data),

    send,

    /** Deletes mails past their retention. */
    async tidy(): Promise<void> {
      const now = clock.now()
      await store.deleteOlderThan(db, later(now, -keptFor))
      for (const [name, { deleteAfter }] of templates) {
        if (deleteAfter !== undefined) await store.deleteCreatedBefore(db, name, later(now, -deleteAfter))
      }
    },
  }

  /** Sends a mail that is due, unless it was sent or is obsolete. @throws Error for the queue to retry */
  async function send(mailId: string): Promise<void> {
    const claimed = await inTransaction(db, (tx) => claim(tx, mailId))
    if (!claimed) return
    const { row, mail } = claimed
    const { handedOver, retriesRefusal } = templateOf(row)
    try {
      await mailer.send(mail)
    } catch (thrown) {
      const error = retriesRefusal && thrown instanceof MailRefused ? deferred(thrown) : thrown
      if (error instanceof MailRefused) {
        log.warn(
          { mail: mailId, template: row.template, code: error.responseCode },
          'A mail was refused for good.',
        )
        return settle(db, row, 'refused')
      }
      await store.setClaim(db, mailId, null)
      log.warn(
        { mail: mailId, template: row.template, err: { name: errorName(error) }, ...codesOf(error) },
        'A mail was not accepted and is left to the queue.',
      )
      throw error instanceof Error ? Object.assign(error, { expected: true }) : error
    }
    await checkpoint('mail handed over')
    if (!handedOver) return settle(db, row, 'sent')
    await inTransaction(db, async (tx) => {
      await handedOver(tx, row)
      await settle(tx, row, 'sent')
    })
  }

  function templateOf({ template }: { template: string }): Template {
    const found = templates.get(template)
    if (!found) throw new Error(`There is no template ${template}.`)
    return found
  }

  /** Claims a mail if it is due, and reads its content. */
  async function claim(tx: Tx, mailId: string): Promise<{ row: store.MailRow; mail: Mail } | undefined> {
    const name = await store.findTemplate(tx, mailId)
    if (name === undefined) return undefined
    const template = templateOf({ template: name })
    const beside = await (template.inOrder ? store.lockMailsBeside(tx, mailId) : store.lockMail(tx, mailId))
    const row = beside.find((each) => each.id === mailId)
    if (!row || row.outcome) return undefined
    const now = clock.now()
    if (beside.some((each) => isClaimed(each, now)))
      throw Object.assign(new Error('This mail, or one before it, is on its way.'), { expected: true })
    const content = await template.load(tx, row, beside)
    if (content === 'later') return undefined
    if (content === 'obsolete') {
      await settle(tx, row, 'dropped')
      return undefined
    }
    await store.setClaim(tx, mailId, later(now, claimLasts))
    const domain = mailer.sender.address.split('@').at(-1)
    const messageId = `${template.idPrefix ?? 'mail'}-${mailId}@${domain}`
    return { row, mail: { messageId, date: row.created_at, ...content } }
  }

  async function settle(handle: Db, row: store.MailRow, outcome: MailOutcome): Promise<void> {
    if (templateOf(row).deleteAfter === undefined) {
      await store.settleMail(handle, row.id, outcome, clock.now())
    } else await store.deleteMail(handle, row.id)
  }
}

/** A refusal of the recipient as a failure that the operator can put right. */
const deferred = ({ responseCode }: MailRefused) =>
  new MailDeferred({ responseCode, enhancedStatus: undefined, command: 'RCPT TO' })

/** What is logged of a failure besides its name: codes and no words, since they may name an address. */
function codesOf(error: unknown): Record<string, unknown> {
  if (error instanceof MailDeferred) {
    return { code: error.responseCode, status: error.enhancedStatus, command: error.command }
  }
  const { code, originalCode } = (error ?? {}) as { code?: unknown; originalCode?: unknown }
  // Constants of Node and of the library, such as ECONNREFUSED or DEPTH_ZERO_SELF_SIGNED_CERT.
  return { code: [originalCode, code].find((each) => typeof each === 'string' && /^[A-Z_\d]+$/.test(each)) }
}
