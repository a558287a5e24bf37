import type { AppointmentType } from '#contract/common.ts'
import type { PractitionerCard } from '#contract/practitioners/practitioners.ts'
import type { Db, Tx } from '../../../db/connection.ts'
import { inTransaction } from '../../../db/transaction.ts'
import type { Deps } from '../../../deps.ts'
import type { Mail, Mailer } from '../../../integrations/mail/port.ts'
import { attempt } from '../../../jobs/attempt.ts'
import type { Accounts } from '../../accounts/accounts.service.ts'
import type { Calendars } from '../../calendars/calendars.service.ts'
import type { Mails, OutgoingMail } from '../../mails/mails.service.ts'
import type { Notifications } from '../../notifications/notifications.service.ts'
import type { Payments } from '../../payments/payments.service.ts'
import type { Practitioners } from '../../practitioners/practitioners.service.ts'
import { bookingsRefundedElsewhereJob } from '../bookings.jobs.ts'
import { addressOf } from '../bookings.mapper.ts'
import { joinUrlOf, roomOf } from '../online-rooms.mapper.ts'
import { payPath, sessionPath } from '../../../integrations/mail/format.ts'
import { type ProfileChange, type SessionMail, sessionMail } from './bookings.mails.ts'
import {
  type CancelledRow,
  deletedSession,
  type Facts,
  isTimed,
  kindOf,
  type MailedSession,
  sessionFacts,
  storedSession,
} from './bookings.mails.facts.ts'
import { feeGivenBack, isFrozen, shownPlace } from '../bookings.rules.ts'
import { type AppointmentRow, changeTerms, findAppointment, lockAppointment } from '../bookings.store.ts'
import {
  endsEntry,
  formerClient,
  isAboutDates,
  isInWindow,
  isReminder,
  judgeMail,
  type MailRecipient,
  type NoShowMailKind,
  type PaymentMailKind,
  recipientsOf,
  type ReminderKind,
  reminders,
  type SessionMailKind,
  waitsForFreeze,
} from './bookings.mails.rules.ts'
import {
  hadEntryBy,
  listDatesTogether,
  listToRemindOf,
  mayBeInCalendar,
  readOwed,
} from './bookings.mails.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'queue' | 'log' | 'publicUrl'> & {
  mails: Mails
  accounts: Accounts
  practitioners: Practitioners
  payments: Payments
  notifications: Pick<Notifications, 'wantsSessionReminders' | 'stopLink' | 'notify'>
  calendars: Pick<Calendars, 'connectedSince'>
  mailer: Pick<Mailer, 'sender'>
}

/** Finds alternative practitioners for the client of a session. A later module implements it. */
type Suggest = (
  handle: Db,
  session: { practitionerId: number; startsAt: Date; type: AppointmentType },
) => Promise<readonly Pick<PractitionerCard, 'id' | 'full_name' | 'provider_types' | 'min_fee'>[]>

type SessionOutgoing = OutgoingMail<Facts> & { kind: SessionMailKind }

/** Reminders of a kind that one sweep inserts; the next sweep continues. */
const sweepBatch = 500
/** The zone of a client who has not sent one. */
const defaultZone = 'Europe/London'

export type BookingOutbox = ReturnType<typeof createBookingOutbox>

/**
 * Mails about sessions. Of two changes of a session only the newer one is mailed. A mail about a refund waits until the
 * refund succeeds.
 */
export function createBookingOutbox(deps: Dependencies) {
  const {
    db,
    clock,
    queue,
    log,
    mails,
    accounts,
    practitioners,
    payments,
    notifications,
    mailer,
    publicUrl,
  } = deps

  let suggest: Suggest = async () => []

  for (const kind of Object.keys(recipientsOf) as SessionMailKind[]) {
    mails.template<Facts>(`session.${kind}`, {
      inOrder: true,
      idPrefix: 'news',
      load: (tx, mail, beside) => load(tx, { ...mail, kind }, beside),
    })
  }

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
      const endsFreeze = kind === 'restored' || (kind === 'cancelled' && row.frozen_at !== null)
      if (endsFreeze) await resumeFrozen(tx, row.id)
      await insert(
        tx,
        row,
        kind,
        recipientsOf[kind],
        movedFrom ? { moved_from: movedFrom.toISOString() } : {},
      )
      if (refunds.length > 0) await insert(tx, row, 'refunded', ['client'], { refund_ids: refunds })
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
      await insert(tx, row, kind, recipientsOf[kind])
      for (const recipient of recipientsOf[kind]) {
        const account = await accountOf(tx, row, recipient)
        if (account) await notifications.notify(tx, [account], { kind: 'session', path: sessionPath(row.id) })
      }
      if (refunds.length > 0) await insert(tx, row, 'refunded', ['client'], { refund_ids: refunds })
    },

    /** Inserts the mail about the payment of a reserved session, and notifies the client's browsers. */
    async notePayment(tx: Tx, row: AppointmentRow, kind: PaymentMailKind): Promise<void> {
      await insert(tx, row, kind, recipientsOf[kind])
      if (kind === 'charge_ahead') return
      const path = kind === 'payment_failed' ? payPath(row.id) : sessionPath(row.id)
      await notifications.notify(tx, [row.client_id], { kind: 'session', path })
    },

    /** Inserts the mail about a card that a series cannot charge: one for a card, however many sessions it pays. */
    async noteCard(tx: Tx, row: AppointmentRow): Promise<void> {
      await mails.enqueue(tx, {
        template: 'session.card_ahead',
        about: { type: 'appointment', id: row.id },
        recipient: 'client',
        accountId: row.client_id,
        dedupeKey: `card of series ${row.series_id} ${row.payment_method_id}`,
        sequence: row.sequence,
        data: {},
      })
      await notifications.notify(tx, [row.client_id], { kind: 'session', path: '/my-sessions' })
    },

    /** Inserts the mail about a change of the practitioner's profile that alters a session ahead. */
    noteProfileChange: (tx: Tx, row: AppointmentRow, change: ProfileChange): Promise<void> =>
      insert(tx, row, 'moved', ['client'], { profile_change: change }),

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
        if (!row?.first_booked_at || (await mailsFor(tx, appointmentId, refundId)).length > 0) return
        // The new sequence number gives this refund a mail of its own.
        await changeTerms(tx, appointmentId, {})
        const after = await findAppointment(tx, appointmentId)
        if (!after) return
        await noteRefund(tx, after, [refundId])
      })
    },

    /** Enqueues the mails that waited for a refund. */
    refundSucceeded: async (tx: Tx, refund: { appointmentId: string; refundId: string }): Promise<void> =>
      mails.resume(tx, await mailsFor(tx, refund.appointmentId, refund.refundId)),

    /**
     * Stores a cancelled session with the unsent mail that takes it out of its practitioner's calendar, before its row is
     * deleted with the account of its client.
     */
    async keepForCalendar(tx: Tx, row: CancelledRow): Promise<void> {
      const session = deletedSession(row)
      if (!session || !(await mayBeInCalendar(tx, row.id))) return
      for (const mail of await mails.lockAbout(tx, { type: 'appointment', id: row.id })) {
        if (mail.recipient !== 'practitioner' || mail.outcome !== null || !endsEntry(kindOf(mail))) continue
        await mails.setData(tx, mail.id, { session } satisfies Facts)
      }
    },

    /** Inserts the reminders that are due. Sending checks again whether a reminder still applies. */
    async remind(): Promise<void> {
      for (const kind of Object.keys(reminders) as ReminderKind[]) {
        for (const id of await listToRemindOf(db, kind, clock.now(), sweepBatch)) {
          await attempt(log, 'reminding of a session', () =>
            inTransaction(db, async (tx) => {
              const row = await lockAppointment(tx, id)
              if (row?.state !== 'confirmed' || isFrozen(row) || !isInWindow(kind, row, clock.now())) return
              await insert(tx, row, kind, recipientsOf[kind])
            }),
          )
        }
      }
    },
  }

  /** Inserts the mails about a refund that comes with no other change, and notifies the practitioner. */
  async function noteRefund(tx: Tx, row: AppointmentRow, refunds: string[]): Promise<void> {
    await insert(tx, row, 'refunded', recipientsOf.refunded, { refund_ids: refunds })
    const owner = await practitioners.accountOf(tx, row.practitioner_id)
    if (owner) await notifications.notify(tx, [owner], { kind: 'session', path: sessionPath(row.id) })
  }

  /** Enqueues a mail for each recipient. One about a refund is left for later until the refund succeeds. */
  async function insert(
    tx: Tx,
    row: AppointmentRow,
    kind: SessionMailKind,
    recipients: readonly MailRecipient[],
    data: Facts = {},
  ): Promise<void> {
    for (const recipient of recipients) {
      await mails.enqueue(tx, {
        template: `session.${kind}`,
        about: { type: 'appointment', id: row.id },
        recipient,
        accountId: await accountOf(tx, row, recipient),
        dedupeKey: `session ${row.id} ${kind} ${row.sequence} ${recipient}`,
        sequence: row.sequence,
        data,
      })
    }
  }

  async function accountOf(tx: Tx, row: AppointmentRow, recipient: MailRecipient): Promise<string | null> {
    if (recipient === 'client') return row.client_id
    return (await practitioners.accountOf(tx, row.practitioner_id)) ?? null
  }

  /** Enqueues the mails that waited for the end of a freeze. */
  async function resumeFrozen(tx: Tx, id: string): Promise<void> {
    const all = await mails.about(tx, { type: 'appointment', id })
    const waiting = all.filter((mail) => waitsForFreeze({ ...mail, kind: kindOf(mail) }))
    await mails.resume(tx, waiting)
  }

  /** Mails about a refund, sent or not. */
  async function mailsFor(tx: Tx, appointmentId: string, refundId: string): Promise<OutgoingMail[]> {
    const all = await mails.about(tx, { type: 'appointment', id: appointmentId })
    return all.filter(({ data }) => refundsIn(data).includes(refundId))
  }

  async function load(
    tx: Tx,
    mail: SessionOutgoing,
    beside: readonly OutgoingMail[],
  ): Promise<Mail | 'obsolete' | 'later'> {
    const row = (await findAppointment(tx, mail.subject_id)) ?? storedSession(mail)
    if (!row) return 'obsolete'
    const all = beside.map((each) => ({ ...each, kind: kindOf(each) }))
    const { refunds, discountPence } = await payments.refundsById(tx, await refundsOf(tx, mail))
    const verdict = judgeMail(mail, all, row, refunds, clock.now())
    const dates =
      verdict === 'send' && isAboutDates(mail.kind)
        ? await listDatesTogether(tx, mail.kind, row, mail.created_at)
        : []
    // The mail of the first date is about them all.
    if (dates[0] && dates[0].id !== row.id) return 'obsolete'
    const content = verdict === 'send' && (await contentOf(tx, mail, row, dates))
    if (!content) return verdict === 'later' ? 'later' : 'obsolete'
    const changes = all.filter((each) => each.sequence === mail.sequence).map((each) => each.kind)
    const refundFor = changes.includes('cancelled')
      ? 'cancellation'
      : changes.includes('moved')
        ? 'change'
        : 'decision'
    const facts: SessionMail = {
      ...content,
      refunds,
      refundedDiscountPence: discountPence,
      feeGivenBack: mail.kind === 'no_show_upheld' ? await givenBackOf(tx, row) : null,
      refundFor,
    }
    return sessionMail(facts, { sender: mailer.sender, publicUrl })
  }

  async function givenBackOf(tx: Tx, row: MailedSession) {
    const refund = (await payments.refundsOf(tx, [row.id])).get(row.id)
    return feeGivenBack({ fee_pence: row.fee_pence, owed_pence: await readOwed(tx, row.id) }, refund)
  }

  /** The refunds requested with the change that a mail is about. */
  async function refundsOf(tx: Tx, mail: SessionOutgoing): Promise<string[]> {
    if (mail.kind === 'refunded') return refundsIn(mail.data)
    const all = await mails.about(tx, { type: 'appointment', id: mail.subject_id })
    return refundsIn(all.find((each) => each.sequence === mail.sequence && kindOf(each) === 'refunded')?.data)
  }

  /**
   * Returns undefined if the recipient was deleted, the session has no time or the recipient has turned reminders off.
   */
  async function contentOf(
    tx: Tx,
    mail: SessionOutgoing,
    row: MailedSession,
    dates: readonly { starts_at: Date; frozen_until: Date | null }[],
  ): Promise<Omit<SessionMail, 'refunds' | 'refundedDiscountPence' | 'refundFor'> | undefined> {
    if (!isTimed(row)) return undefined
    const id = row.practitioner_id
    const client =
      (row.client_id === null ? undefined : await accounts.person(tx, row.client_id)) ??
      (mail.recipient === 'practitioner' ? formerClient : undefined)
    const owner = await practitioners.accountOf(tx, id)
    const card = (await practitioners.cards(tx, [id])).get(id)
    const to = mail.recipient === 'client' ? client : owner && (await accounts.person(tx, owner))
    if (!client || !card || !to) return undefined
    const recipient = mail.recipient as MailRecipient
    const account = recipient === 'client' ? row.client_id : owner
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
    const exact = places.get(row.location_id ?? 0)
    const place = mail.recipient === 'client' ? shownPlace(row, exact) : exact
    return {
      kind: mail.kind,
      recipient,
      to,
      zone: mail.recipient === 'client' ? (row.client_timezone ?? defaultZone) : card.timezone,
      session: {
        ...sessionFacts(row, dates),
        place: place && { name: place.location_name, address: addressOf(place) },
        joinUrl: joinUrlOf(
          roomOf(row, (await practitioners.onlineRooms(tx, [id])).get(id)),
          recipient,
          publicUrl,
        ),
      },
      movedFrom: mail.data.moved_from ? new Date(mail.data.moved_from) : null,
      profileChange: mail.data.profile_change?.what,
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
        calendarSince !== undefined && !(await hadEntryBy(tx, { id: row.id, recipient, at: calendarSince })),
      mayBeInCalendar: row.series_id === null || (await mayBeInCalendar(tx, row.id)),
      stopUrl:
        isReminder(mail.kind) && account ? notifications.stopLink(account, 'session reminders') : undefined,
    }
  }
}

const refundsIn = (data: unknown): string[] => (data as Facts | undefined)?.refund_ids ?? []
