import type { AppointmentState } from '#contract/bookings/bookings.ts'
import { hours, later, minutes } from '../../clock.ts'

export type ReminderKind = 'day_before' | 'hour_before'
/** What clients and practitioners are told of a no-show. */
export type NoShowMailKind =
  | 'no_show'
  | 'no_show_withdrawn'
  | 'no_show_disputed'
  | 'no_show_upheld'
  | 'no_show_overturned'
export type SessionMailKind =
  | 'booked'
  | 'moved'
  | 'cancelled'
  | 'refunded'
  /** Being checked: it may be cancelled. */
  | 'frozen'
  /** Takes place after all. */
  | 'restored'
  | ReminderKind
  | NoShowMailKind
export type MailRecipient = 'client' | 'practitioner'
export type MailOutcome = 'sent' | 'dropped' | 'refused'

/** Who is told of what. A refund that comes with a change is the client's alone. */
export const recipientsOf: Record<SessionMailKind, readonly MailRecipient[]> = {
  booked: ['client', 'practitioner'],
  moved: ['client', 'practitioner'],
  cancelled: ['client', 'practitioner'],
  refunded: ['client', 'practitioner'],
  // The practitioner hears of all of their sessions at once, from the back office.
  frozen: ['client'],
  restored: ['client'],
  day_before: ['client', 'practitioner'],
  hour_before: ['client', 'practitioner'],
  no_show: ['client'],
  no_show_withdrawn: ['client'],
  no_show_disputed: ['client', 'practitioner'],
  no_show_upheld: ['client', 'practitioner'],
  no_show_overturned: ['client', 'practitioner'],
}

/** The state of a session in which a mail about its no-show is still true. */
const stateTold: Record<NoShowMailKind, AppointmentState> = {
  no_show: 'no_show',
  no_show_withdrawn: 'completed',
  no_show_disputed: 'no_show',
  no_show_upheld: 'no_show',
  no_show_overturned: 'cancelled',
}

export const isNoShow = (kind: SessionMailKind): kind is NoShowMailKind => kind in stateTold

/** Longer than a mail server may take; whoever has not come back by then has ended in the middle of it. */
export const claimLasts = minutes(3)

/**
 * How long before a session a reminder is due, and until when one that is late is still of use: after that, a server that
 * comes back sends none. `told`: somebody who was told of the session as late as that needs none.
 */
export const reminders: Record<ReminderKind, { told: number; due: number; latest: number }> = {
  day_before: { told: hours(26), due: hours(24), latest: hours(6) },
  hour_before: { told: minutes(90), due: hours(1), latest: minutes(15) },
}

export const isReminder = (kind: SessionMailKind): kind is ReminderKind => kind in reminders

/**
 * Whether a reminder of a session that begins at `startsAt` is to be sent now. `toldAt` is when the session was booked or
 * moved, which there is a mail about as well.
 */
export function judgeReminder(
  kind: ReminderKind,
  { startsAt, toldAt }: { startsAt: Date; toldAt: Date },
  now: Date,
): 'later' | 'send' | 'drop' {
  const { told, due, latest } = reminders[kind]
  if (toldAt > later(startsAt, -told) || now > later(startsAt, -latest)) return 'drop'
  return now < later(startsAt, -due) ? 'later' : 'send'
}

type DueMail = {
  id: string
  kind: SessionMailKind
  sequence: number
  outcome: MailOutcome | null
  claimed_until: Date | null
  created_at: Date
}

type JudgedSession = {
  state: AppointmentState
  starts_at: Date | null
  ends_at: Date | null
  first_booked_at: Date | null
  frozen_at: Date | null
  sequence: number
}

/** Mails by which somebody knows when a session is. */
const tellsWhen: readonly SessionMailKind[] = ['booked', 'moved', 'restored']

/** When somebody was last told when a session is. */
function toldAt(all: readonly DueMail[], bookedAt: Date): Date {
  const told = all.filter(({ kind }) => tellsWhen.includes(kind)).map((mail) => mail.created_at)
  return new Date(Math.max(bookedAt.getTime(), ...told.map((at) => at.getTime())))
}

/**
 * What to do now with a mail that was due when something happened:
 * - `done`: it has been settled.
 * - `wait`: a mail about the same session to the same person is on its way. One goes out after the other, so that
 *   nobody reads of a booking after its cancellation.
 * - `later`: what it tells of has not happened yet; whoever makes it happen asks again.
 * - `drop`: it is no longer so. A mail about the newer state is due, the session is over, or it is too late for a reminder.
 * - `send`.
 *
 * `all` are the mails about the session to this recipient, this one among them.
 */
export function judgeMail(
  mail: DueMail,
  all: readonly DueMail[],
  session: JudgedSession,
  refundsArrived: boolean,
  now: Date,
): 'done' | 'wait' | 'later' | 'drop' | 'send' {
  if (mail.outcome) return 'done'
  if (all.some((each) => !each.outcome && each.claimed_until && each.claimed_until > now)) return 'wait'
  if (mail.kind === 'refunded') return refundsArrived ? 'send' : 'later'
  if (all.some((each) => each.kind !== 'refunded' && each.sequence > mail.sequence)) return 'drop'
  if (isReminder(mail.kind)) {
    const { state, starts_at: startsAt, first_booked_at: bookedAt, sequence } = session
    const isOn = state === 'confirmed' && session.frozen_at === null
    if (!isOn || !startsAt || !bookedAt || sequence !== mail.sequence) return 'drop'
    return judgeReminder(mail.kind, { startsAt, toldAt: toldAt(all, bookedAt) }, now)
  }
  if (isNoShow(mail.kind)) return session.state === stateTold[mail.kind] ? 'send' : 'drop'
  if (mail.kind === 'cancelled') return session.state === 'cancelled' ? 'send' : 'drop'
  if ((mail.kind === 'frozen') !== (session.frozen_at !== null)) return 'drop'
  return session.state === 'confirmed' && session.ends_at && session.ends_at > now ? 'send' : 'drop'
}
