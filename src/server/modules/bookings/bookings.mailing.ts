import type { AppointmentType } from '#contract/common.ts'
import type { PractitionerCard } from '#contract/practitioners/practitioners.ts'
import { later } from '../../clock.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { type Mailer, MailRefused } from '../../integrations/mail/port.ts'
import type { Accounts } from '../accounts/accounts.service.ts'
import type { Calendars } from '../calendars/calendars.service.ts'
import type { Notices } from '../notices/notices.service.ts'
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
  notices: Pick<Notices, 'wantsSessionReminders' | 'stopLink' | 'notify'>
  calendars: Pick<Calendars, 'connectedSince'>
  mailer: Mailer
  publicUrl: string
  checkpoint: (step: string) => Promise<void>
}

/** Others whom the client of a session could see instead. A module after this one knows them. */
type Suggest = (
  handle: Db,
  session: { practitionerId: number; startsAt: Date; type: AppointmentType },
) => Promise<readonly Pick<PractitionerCard, 'id' | 'full_name' | 'provider_types' | 'min_fee'>[]>

/** Who it was, after the account has been deleted. A practitioner is told all the same. */
const formerClient = { email: '', firstName: 'A former client', lastName: '', verified: false }
/** How many reminders of a kind one sweep notes; the next takes the rest. */
const sweepBatch = 500
/** Where a click on a notice about a session that is over leads. */
const newsPath: Record<MailRecipient, string> = {
  client: '/my-sessions/past',
  practitioner: '/therapist/dashboard?sessions=past#sessions',
}
/** Where no client has said otherwise. */
const defaultZone = 'Europe/London'

export type BookingMailing = ReturnType<typeof createBookingMailing>

/**
 * Mails about sessions. A mail is a row, written in the transaction of the change that it tells of, with a job that
 * sends it; what it says is read when it is sent.
 *
 * What holds: for a change there is one row for each recipient, whatever is repeated. A row is claimed before its mail
 * is handed over and settled after, so that two who do the same job do not both send it; mails about one session to one
 * person go out one after the other, and one that newer ones have overtaken is dropped. Between the mail server taking
 * a mail and the row saying so there is a moment in which the process may end: the mail is then handed over again, with
 * the same Message-ID and date and, unless the session has changed, the same bytes, which mailboxes show once. Were it
 * settled first, the same moment would lose it.
 */
export function createBookingMailing(deps: Dependencies) {
  const { db, clock, random, queue, log, accounts, practitioners, payments, notices } = deps
  const { mailer, publicUrl, checkpoint } = deps

  let suggest: Suggest = async () => []

  return {
    /** Registers who suggests others where the office had to cancel. Without it, those mails go without. */
    suggestWith(port: Suggest): void {
      suggest = port
    },

    /** Notes, in the transaction of a change, whom to tell of it. `row` is the appointment after the change. */
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
      // Sent once the money has really left: `refundSucceeded` puts it in the queue.
      await insert(tx, row, { kind: 'refunded', recipient: 'client', moved_from: null, refund_ids: refunds })
    },

    /**
     * Notes whom to tell of a no-show, and tells their browsers. `row` is the appointment after the change; `refunds`
     * are told of once they have left.
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
        if (account) await notices.notify(tx, [account], { kind: 'session', path: newsPath[recipient] })
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

    /** A refund was made at the gateway. A job of its own: whoever books it holds the payment and not the session. */
    noteRefundedElsewhere: (
      tx: Tx,
      { appointmentId, refundId }: { appointmentId: string; refundId: string },
    ): Promise<void> =>
      queue.enqueue(tx, bookingsRefundedElsewhereJob, {
        appointment_id: appointmentId,
        refund_id: refundId,
      }),

    /** Has client and practitioner told of a refund that was made at the gateway, once. */
    async refundedElsewhere(appointmentId: string, refundId: string): Promise<void> {
      await inTransaction(db, async (tx) => {
        const row = await lockAppointment(tx, appointmentId)
        if (!row?.first_booked_at || (await store.hasMailFor(tx, appointmentId, refundId))) return
        // A step of its own in the session's history, so that it has a mail of its own.
        await changeTerms(tx, appointmentId, {})
        const after = await findAppointment(tx, appointmentId)
        if (!after) return
        await noteRefund(tx, after, [refundId])
        for (const id of await store.listWaitingFor(tx, appointmentId, refundId))
          await queue.enqueue(tx, bookingsMailJob, { mail_id: id })
      })
    },

    /** A refund has reached the gateway. */
    async refundSucceeded(
      tx: Tx,
      { appointmentId, refundId }: { appointmentId: string; refundId: string },
    ): Promise<void> {
      for (const id of await store.listWaitingFor(tx, appointmentId, refundId))
        await queue.enqueue(tx, bookingsMailJob, { mail_id: id })
    },

    /** Notes the reminders that are due. Whether one is still right is seen when it is sent. */
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

    /** Sends a mail that is due, unless it has been sent or is no longer so. @throws Error to be tried again */
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

  /** Notes that client and practitioner are to be told of a refund that comes with no other change. */
  async function noteRefund(tx: Tx, row: AppointmentRow, refunds: string[]): Promise<void> {
    for (const recipient of recipientsOf.refunded)
      await insert(tx, row, { kind: 'refunded', recipient, moved_from: null, refund_ids: refunds })
    const owner = await practitioners.accountOf(tx, row.practitioner_id)
    if (owner) await notices.notify(tx, [owner], { kind: 'session', path: newsPath.practitioner })
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

  /** Claims a mail if it is to be sent now, and reads what it is to say. */
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

  /** Nothing when there is nobody left to write to, or nothing to write about. */
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
    if (isReminder(mail.kind) && account && !(await notices.wantsSessionReminders(tx, account))) {
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
      stopUrl: isReminder(mail.kind) && account ? notices.stopLink(account, 'session reminders') : undefined,
    }
  }
}
