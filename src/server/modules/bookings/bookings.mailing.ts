import type { AppointmentType } from '#contract/common.ts'
import type { PractitionerCard } from '#contract/practitioners/practitioners.ts'
import { later } from '../../clock.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { type Mailer, MailRefused } from '../../integrations/mail/port.ts'
import type { Accounts } from '../accounts/accounts.service.ts'
import type { Calendars } from '../calendars/calendars.service.ts'
import type { Notifications } from '../notifications/notifications.service.ts'
import type { Payments } from '../payments/payments.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import { errorName } from '../../errors.ts'
import { bookingsMailJob, bookingsRefundedElsewhereJob } from './bookings.jobs.ts'
import { addressOf, meetingLinkOf } from './bookings.mapper.ts'
import { type SessionMail, sessionMail } from './bookings.mails.ts'
import { changeDeadline, isFrozen } from './bookings.rules.ts'
import { type AppointmentRow, changeTerms, findAppointment, lockAppointment } from './bookings.store.ts'
import {
  claimLasts,
  isReminder,
  judgeMail,
  type MailRecipient,
  type NoShowMailKind,
  recipientsOf,
  type ReminderKind,
  reminders,
} from './mailing.rules.ts'
import * as store from './mailing.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'random' | 'queue' | 'log'> & {
  accounts: Accounts
  practitioners: Practitioners
  payments: Payments
  notifications: Pick<Notifications, 'wantsSessionReminders' | 'stopLink' | 'notify'>
  calendars: Pick<Calendars, 'connectedSince'>
  mailer: Mailer
  publicUrl: string
  checkpoint: (step: string) => Promise<void>
}

/** Finds alternative practitioners for the client of a session. A later module implements it. */
type Suggest = (
  handle: Db,
  session: { practitionerId: number; startsAt: Date; type: AppointmentType },
) => Promise<readonly Pick<PractitionerCard, 'id' | 'full_name' | 'provider_types' | 'min_fee'>[]>

/** The name of a client whose account was deleted. The practitioner still gets the mail. */
const formerClient = { email: '', firstName: 'A former client', lastName: '', verified: false }
/** Reminders of a kind that one sweep inserts; the next sweep continues. */
const sweepBatch = 500
/** Where a notification about a past session leads. */
const newsPath: Record<MailRecipient, string> = {
  client: '/my-sessions/past',
  practitioner: '/therapist/dashboard?sessions=past#sessions',
}
/** The zone of a client who has not sent one. */
const defaultZone = 'Europe/London'

export type BookingMailing = ReturnType<typeof createBookingMailing>

/**
 * Mails about sessions. A mail is a row, inserted in the transaction of its change together with the job that sends
 * it. Its content is read at the time of sending.
 *
 * Guarantees:
 * - A change has one row per recipient, however often it is repeated.
 * - A row is claimed before its mail is sent and settled afterwards, so that two runs of one job send one mail.
 * - Mails about one session to one recipient go out in order, and an obsolete mail is dropped.
 * - If the process ends after the mail server accepts a mail and before the row is settled, the mail is sent again. It
 *   then has the same Message-ID and date and, unless the session has changed, the same bytes, which mailboxes show
 *   once. Settling the row first would lose the mail instead.
 */
export function createBookingMailing(deps: Dependencies) {
  const { db, clock, random, queue, log, accounts, practitioners, payments, notifications } = deps
  const { mailer, publicUrl, checkpoint } = deps

  let suggest: Suggest = async () => []

  return {
    /**
     * Registers the source of alternative practitioners for cancellations by the platform. Without it, those mails
     * name none.
     */
    suggestWith(port: Suggest): void {
      suggest = port
    },

    /** Inserts the mails about a change, in its transaction. `row` is the appointment after the change. */
    async note(
      tx: Tx,
      row: AppointmentRow,
      kind: 'booked' | 'moved' | 'cancelled' | 'frozen' | 'restored',
      { movedFrom = null, refunds = [] }: { movedFrom?: Date | null; refunds?: string[] } = {},
    ): Promise<void> {
      for (const recipient of recipientsOf[kind]) {
        const id = await insert(tx, row, { kind, recipient, moved_from: movedFrom, refund_ids: [] })
        if (id) await queue.enqueue(tx, bookingsMailJob, { mail_id: id })
      }
      if (refunds.length === 0) return
      // Sent after the refund succeeds: `refundSucceeded` enqueues it.
      await insert(tx, row, { kind: 'refunded', recipient: 'client', moved_from: null, refund_ids: refunds })
    },

    /**
     * Inserts the mails about a no-show and notifies the browsers of the recipients. `row` is the appointment after
     * the change. The mail about `refunds` is sent after they succeed.
     */
    async noteNoShow(
      tx: Tx,
      row: AppointmentRow,
      kind: NoShowMailKind,
      refunds: string[] = [],
    ): Promise<void> {
      for (const recipient of recipientsOf[kind]) {
        const id = await insert(tx, row, { kind, recipient, moved_from: null, refund_ids: [] })
        if (id) await queue.enqueue(tx, bookingsMailJob, { mail_id: id })
        const account =
          recipient === 'client' ? row.client_id : await practitioners.accountOf(tx, row.practitioner_id)
        if (account) await notifications.notify(tx, [account], { kind: 'session', path: newsPath[recipient] })
      }
      if (refunds.length > 0) {
        await insert(tx, row, {
          kind: 'refunded',
          recipient: 'client',
          moved_from: null,
          refund_ids: refunds,
        })
      }
    },

    noteRefund,

    /**
     * Enqueues the mails about a refund made at the gateway. A separate job, because its caller has locked the payment
     * and not the session.
     */
    noteRefundedElsewhere: (
      tx: Tx,
      { appointmentId, refundId }: { appointmentId: string; refundId: string },
    ): Promise<void> =>
      queue.enqueue(tx, bookingsRefundedElsewhereJob, {
        appointment_id: appointmentId,
        refund_id: refundId,
      }),

    /** Notifies client and practitioner of a refund made at the gateway, once. */
    async refundedElsewhere(appointmentId: string, refundId: string): Promise<void> {
      await inTransaction(db, async (tx) => {
        const row = await lockAppointment(tx, appointmentId)
        if (!row?.first_booked_at || (await store.hasMailFor(tx, appointmentId, refundId))) return
        // The new sequence number gives this refund a mail of its own.
        await changeTerms(tx, appointmentId, {})
        const after = await findAppointment(tx, appointmentId)
        if (!after) return
        await noteRefund(tx, after, [refundId])
        for (const id of await store.listWaitingFor(tx, appointmentId, refundId))
          await queue.enqueue(tx, bookingsMailJob, { mail_id: id })
      })
    },

    /** Enqueues the mails that waited for a refund. */
    async refundSucceeded(
      tx: Tx,
      { appointmentId, refundId }: { appointmentId: string; refundId: string },
    ): Promise<void> {
      for (const id of await store.listWaitingFor(tx, appointmentId, refundId))
        await queue.enqueue(tx, bookingsMailJob, { mail_id: id })
    },

    /** Inserts the reminders that are due. Sending checks again whether a reminder still applies. */
    async remind(): Promise<void> {
      for (const kind of Object.keys(reminders) as ReminderKind[]) {
        for (const id of await store.listToRemindOf(db, kind, clock.now(), sweepBatch)) {
          await inTransaction(db, async (tx) => {
            const row = await lockAppointment(tx, id)
            if (row?.state !== 'confirmed' || isFrozen(row)) return
            for (const recipient of recipientsOf[kind]) {
              const mail = await insert(tx, row, { kind, recipient, moved_from: null, refund_ids: [] })
              if (mail) await queue.enqueue(tx, bookingsMailJob, { mail_id: mail })
            }
          })
        }
      }
    },

    /** Sends a mail that is due, unless it was sent or is obsolete. @throws Error for the queue to retry */
    async send(mailId: string): Promise<void> {
      const claimed = await inTransaction(db, (tx) => claim(tx, mailId))
      if (!claimed) return
      try {
        await mailer.send(sessionMail(claimed, { sender: mailer.sender, publicUrl }))
      } catch (error) {
        if (error instanceof MailRefused) {
          log.warn({ mail: mailId, code: error.responseCode }, 'A mail about a session was refused for good.')
          return store.settleMail(db, mailId, 'refused', clock.now())
        }
        await store.setClaim(db, mailId, null)
        log.warn(
          { mail: mailId, err: { name: errorName(error) } },
          'A mail about a session was not taken and is left to the queue.',
        )
        throw error
      }
      await checkpoint('mail handed over')
      await store.settleMail(db, mailId, 'sent', clock.now())
    },
  }

  /** Inserts the mails about a refund that comes with no other change, and notifies the practitioner. */
  async function noteRefund(tx: Tx, row: AppointmentRow, refunds: string[]): Promise<void> {
    for (const recipient of recipientsOf.refunded)
      await insert(tx, row, { kind: 'refunded', recipient, moved_from: null, refund_ids: refunds })
    const owner = await practitioners.accountOf(tx, row.practitioner_id)
    if (owner) await notifications.notify(tx, [owner], { kind: 'session', path: newsPath.practitioner })
  }

  async function insert(
    tx: Tx,
    row: AppointmentRow,
    mail: Pick<Parameters<typeof store.insertMail>[1], 'kind' | 'recipient' | 'moved_from' | 'refund_ids'>,
  ): Promise<string | undefined> {
    const now = clock.now()
    const id = random.uuid(now)
    const isNew = await store.insertMail(tx, {
      ...mail,
      id,
      appointment_id: row.id,
      sequence: row.sequence,
      created_at: now,
    })
    return isNew ? id : undefined
  }

  /** Claims a mail if it is due, and reads its content. */
  async function claim(tx: Tx, mailId: string): Promise<SessionMail | undefined> {
    const all = await store.lockMailsBeside(tx, mailId)
    const mail = all.find((each) => each.id === mailId)
    const row = mail && (await findAppointment(tx, mail.appointment_id))
    if (!mail || !row) return undefined
    const refunds = await refundsWith(tx, mail)
    const arrived = refunds.every((refund) => refund.state === 'succeeded')
    const verdict = judgeMail(mail, all, row, arrived, clock.now())
    if (verdict === 'wait') throw new Error('Another mail about this session is on its way.')
    if (verdict === 'done' || verdict === 'later') return undefined
    const content = verdict === 'send' ? await contentOf(tx, mail, row) : undefined
    if (!content) {
      await store.settleMail(tx, mailId, 'dropped', clock.now())
      return undefined
    }
    await store.setClaim(tx, mailId, later(clock.now(), claimLasts))
    const beside = all.filter((each) => each.sequence === mail.sequence).map((each) => each.kind)
    const refundFor = beside.includes('cancelled')
      ? 'cancellation'
      : beside.includes('moved')
        ? 'change'
        : 'decision'
    return { ...content, refunds, refundFor }
  }

  async function refundsWith(tx: Tx, mail: store.SessionMailRow) {
    const ids =
      mail.kind === 'refunded'
        ? mail.refund_ids
        : await store.findRefundIds(tx, mail.appointment_id, mail.sequence)
    return payments.refundsById(tx, ids)
  }

  /**
   * Returns undefined if the recipient was deleted, the session has no time or the recipient has turned reminders off.
   */
  async function contentOf(
    tx: Tx,
    mail: store.SessionMailRow,
    row: AppointmentRow,
  ): Promise<Omit<SessionMail, 'refunds' | 'refundFor'> | undefined> {
    if (!row.starts_at || !row.ends_at || !row.appointment_type) return undefined
    const id = row.practitioner_id
    const client =
      (await accounts.person(tx, row.client_id)) ??
      (mail.recipient === 'practitioner' ? formerClient : undefined)
    const owner = await practitioners.accountOf(tx, id)
    const card = (await practitioners.cards(tx, [id])).get(id)
    const to = mail.recipient === 'client' ? client : owner && (await accounts.person(tx, owner))
    if (!client || !card || !to) return undefined
    const account = mail.recipient === 'client' ? row.client_id : owner
    if (isReminder(mail.kind) && account && !(await notifications.wantsSessionReminders(tx, account))) {
      return undefined
    }
    const calendarSince =
      mail.recipient === 'practitioner' ? await deps.calendars.connectedSince(tx, id) : undefined
    const isOurs = mail.kind === 'cancelled' && mail.recipient === 'client' && row.cancelled_by === 'system'
    const others = isOurs
      ? await suggest(tx, { practitionerId: id, startsAt: row.starts_at, type: row.appointment_type })
      : []
    const places = await practitioners.placesById(tx, row.location_id === null ? [] : [row.location_id])
    const place = places.get(row.location_id ?? 0)
    return {
      id: mail.id,
      kind: mail.kind,
      recipient: mail.recipient,
      to,
      zone: mail.recipient === 'client' ? (row.client_timezone ?? defaultZone) : card.timezone,
      session: {
        id: row.id,
        sequence: mail.sequence,
        type: row.appointment_type,
        startsAt: row.starts_at,
        endsAt: row.ends_at,
        place: place && { name: place.location_name, address: addressOf(place) },
        meetingLink: meetingLinkOf(row, (await practitioners.meetingLinks(tx, [id])).get(id) ?? null),
        pricePence: row.fee_pence - row.discount_pence,
        changeUntil:
          row.first_booked_at === null
            ? undefined
            : changeDeadline({ firstBookedAt: row.first_booked_at, startsAt: row.starts_at }),
        cancelledBy: row.cancelled_by,
        frozenUntil: isFrozen(row) ? row.frozen_until : null,
        disputeUntil: row.no_show_dispute_until ?? undefined,
      },
      movedFrom: mail.moved_from,
      others: others.map((card) => ({
        id: card.id,
        fullName: card.full_name,
        profession: card.provider_types[0] ?? null,
        fromPence: Math.round(card.min_fee * 100),
      })),
      practitioner: { id, fullName: card.full_name, listed: await practitioners.listed(tx, id) },
      client,
      happenedAt: mail.created_at,
      isInOwnCalendar:
        calendarSince !== undefined && row.first_booked_at !== null && row.first_booked_at > calendarSince,
      stopUrl:
        isReminder(mail.kind) && account ? notifications.stopLink(account, 'session reminders') : undefined,
    }
  }
}
