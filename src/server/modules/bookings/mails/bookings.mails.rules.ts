import type { AppointmentState } from '#contract/bookings/bookings.ts'
import { hours, later, minutes } from '../../../clock.ts'

export type ReminderKind = 'day_before' | 'hour_before'
/** Mails about a no-show. */
export type NoShowMailKind =
  | 'no_show'
  | 'no_show_withdrawn'
  | 'no_show_disputed'
  | 'no_show_upheld'
  | 'no_show_overturned'
/** Mails about the payment of a reserved session. */
export type PaymentMailKind =
  /** Its money is taken in a day. */
  | 'charge_ahead'
  /** Its card has gone, or expires before that. */
  | 'card_ahead'
  /** Its money could not be taken. */
  | 'payment_failed'
  /** It was not paid in time and is cancelled. */
  | 'unpaid'
export type SessionMailKind =
  | 'booked'
  | 'moved'
  | 'cancelled'
  | 'refunded'
  /** Under review: it may be cancelled. */
  | 'frozen'
  /** Takes place after all. */
  | 'restored'
  | ReminderKind
  | NoShowMailKind
  | PaymentMailKind
export type MailRecipient = 'client' | 'practitioner'
/** Mails of which the unpaid dates of a series share one. */
export type DatesMailKind = 'frozen' | 'restored' | 'cancelled'

export const isAboutDates = (kind: SessionMailKind): kind is DatesMailKind =>
  kind === 'frozen' || kind === 'restored' || kind === 'cancelled'

/** The recipients of each mail. With a cancellation or a move, only the client gets the mail about the refund. */
export const recipientsOf: Record<SessionMailKind, readonly MailRecipient[]> = {
  booked: ['client', 'practitioner'],
  moved: ['client', 'practitioner'],
  cancelled: ['client', 'practitioner'],
  refunded: ['client', 'practitioner'],
  // The practitioner gets one mail about all of their sessions, from the back office.
  frozen: ['client'],
  restored: ['client'],
  day_before: ['client', 'practitioner'],
  hour_before: ['client', 'practitioner'],
  no_show: ['client'],
  no_show_withdrawn: ['client'],
  no_show_disputed: ['client', 'practitioner'],
  no_show_upheld: ['client', 'practitioner'],
  no_show_overturned: ['client', 'practitioner'],
  charge_ahead: ['client'],
  card_ahead: ['client'],
  payment_failed: ['client'],
  unpaid: ['client', 'practitioner'],
}

/** The session state in which a mail about its no-show still holds. */
const stateAfter: Record<NoShowMailKind, AppointmentState> = {
  no_show: 'no_show',
  no_show_withdrawn: 'completed',
  no_show_disputed: 'no_show',
  no_show_upheld: 'no_show',
  no_show_overturned: 'cancelled',
}

/** Mails about a payment that is still to be made. */
const paymentKinds: readonly SessionMailKind[] = ['charge_ahead', 'card_ahead', 'payment_failed']

/** Whether a mail is about a payment and states no change of the session itself. */
export const isAboutPayment = (kind: SessionMailKind): boolean => paymentKinds.includes(kind)

export const isNoShow = (kind: SessionMailKind): kind is NoShowMailKind => kind in stateAfter

/**
 * Times of a reminder, before the start of its session. It is due at `due` and no longer sent after `latest`. A
 * recipient who got a mail with the time later than `notified` before the start needs no reminder.
 */
export const reminders: Record<ReminderKind, { notified: number; due: number; latest: number }> = {
  day_before: { notified: hours(26), due: hours(24), latest: hours(6) },
  hour_before: { notified: minutes(90), due: hours(1), latest: minutes(15) },
}

export const isReminder = (kind: SessionMailKind): kind is ReminderKind => kind in reminders

/**
 * Whether a reminder of a session that begins at `startsAt` is to be sent now. `notifiedAt` is the time of the last
 * booking, move or restoring, each of which has a mail with the time.
 */
export function judgeReminder(
  kind: ReminderKind,
  { startsAt, notifiedAt }: { startsAt: Date; notifiedAt: Date },
  now: Date,
): 'later' | 'send' | 'drop' {
  const { notified, due, latest } = reminders[kind]
  if (notifiedAt > later(startsAt, -notified) || now > later(startsAt, -latest)) return 'drop'
  return now < later(startsAt, -due) ? 'later' : 'send'
}

/**
 * Whether a reminder of a session is inserted at `now`. A session that is moved after it was listed has left the window, and is
 * listed again before its new time: a reminder that is inserted too early is never sent.
 */
export function isInWindow(
  kind: ReminderKind,
  { starts_at: startsAt }: { starts_at: Date | null },
  now: Date,
): boolean {
  const { due, latest } = reminders[kind]
  return startsAt !== null && startsAt <= later(now, due) && startsAt >= later(now, latest)
}

type DueMail = {
  kind: SessionMailKind
  recipient: string
  sequence: number
  created_at: Date
}

type JudgedSession = {
  state: AppointmentState
  starts_at: Date | null
  ends_at: Date | null
  first_booked_at: Date | null
  frozen_at: Date | null
  pay_at: Date | null
  pay_by: Date | null
  cancel_code: string | null
}

/** Mails that state the time of a session. */
const kindsWithTime: readonly SessionMailKind[] = ['booked', 'moved', 'restored']

/** Whether a mail states when and where its session takes place, as that is when the mail is sent. */
export const statesWhenAndWhere = (kind: SessionMailKind): boolean =>
  kindsWithTime.includes(kind) || isAboutPayment(kind)

/**
 * Whether a mail waits while its session is frozen. A practitioner gets no mail when a session is restored, so that nothing
 * else would state the time to them.
 */
export const waitsForFreeze = ({ kind, recipient }: Pick<DueMail, 'kind' | 'recipient'>): boolean =>
  recipient === 'practitioner' && (kind === 'booked' || kind === 'moved')

/** Whether the calendar entry of a mail ends that of its session. */
export const endsEntry = (kind: SessionMailKind): boolean => kind === 'cancelled' || kind === 'unpaid'

/** Whether a mail replaces the earlier ones. A refund or a reminder, which have no calendar entry, replaces none. */
const isAboutChange = (kind: SessionMailKind): boolean => kind !== 'refunded' && !isReminder(kind)

/** When the recipient last got a mail with the time of the session. */
function notifiedAt(all: readonly DueMail[], bookedAt: Date): Date {
  const notified = all.filter(({ kind }) => kindsWithTime.includes(kind)).map((mail) => mail.created_at)
  return new Date(Math.max(bookedAt.getTime(), ...notified.map((at) => at.getTime())))
}

/**
 * Decides whether to send an unsent mail now:
 * - `later`: its refunds have not succeeded, its reminder is not due, or it waits for the end of a freeze. The refund, the
 *   sweep or the end of the freeze enqueues it again.
 * - `drop`: it is obsolete. A mail about a newer state is due, the session is over, or it is too late for a reminder. Or
 *   its refunds take a discount off what is owed and return no money.
 * - `send`.
 *
 * `all` are the mails about the session to this recipient, this one included; `refunds` those that return money.
 */
export function judgeMail(
  mail: DueMail,
  all: readonly DueMail[],
  session: JudgedSession,
  refunds: readonly { state: string }[],
  now: Date,
): 'later' | 'drop' | 'send' {
  if (mail.kind === 'refunded') {
    if (refunds.length === 0) return 'drop'
    return refunds.every(({ state }) => state === 'succeeded') ? 'send' : 'later'
  }
  if (all.some((each) => isAboutChange(each.kind) && each.sequence > mail.sequence)) return 'drop'
  if (isReminder(mail.kind)) {
    const { state, starts_at: startsAt, first_booked_at: bookedAt } = session
    const isOn = state === 'confirmed' && session.frozen_at === null
    if (!isOn || !startsAt || !bookedAt) return 'drop'
    return judgeReminder(mail.kind, { startsAt, notifiedAt: notifiedAt(all, bookedAt) }, now)
  }
  if (isNoShow(mail.kind)) return session.state === stateAfter[mail.kind] ? 'send' : 'drop'
  if (mail.kind === 'cancelled') return session.state === 'cancelled' ? 'send' : 'drop'
  if (mail.kind === 'unpaid') return session.cancel_code === 'unpaid' ? 'send' : 'drop'
  if (isAboutPayment(mail.kind)) {
    const until = mail.kind === 'payment_failed' ? session.pay_by : session.pay_at
    const isOpen = session.state === 'reserved' && session.frozen_at === null && until && now < until
    return isOpen ? 'send' : 'drop'
  }
  const isBooked = session.state === 'confirmed' || (session.state === 'reserved' && mail.kind !== 'booked')
  if (!isBooked || !session.ends_at || session.ends_at <= now) return 'drop'
  if ((mail.kind === 'frozen') === (session.frozen_at !== null)) return 'send'
  return waitsForFreeze(mail) ? 'later' : 'drop'
}

/** The name of a client whose account was deleted. The practitioner still gets the mail. */
export const formerClient = { email: '', firstName: 'A former client', lastName: '', verified: false }
