import type { AppointmentState } from '#contract/bookings.ts'
import { hours, later, minutes } from '../../clock.ts'

export type ReminderKind = 'day_before' | 'hour_before'
export type SessionMailKind = 'booked' | 'moved' | 'cancelled' | 'refunded' | ReminderKind
export type MailRecipient = 'client' | 'practitioner'
export type MailOutcome = 'sent' | 'dropped' | 'refused'

/** Who is told of what. The practitioner has nothing to do with a refund. */
export const recipientsOf: Record<SessionMailKind, readonly MailRecipient[]> = {
  booked: ['client', 'practitioner'],
  moved: ['client', 'practitioner'],
  cancelled: ['client', 'practitioner'],
  refunded: ['client'],
  day_before: ['client', 'practitioner'],
  hour_before: ['client', 'practitioner'],
}

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
  sequence: number
}

/** When somebody was last told when a session is. */
function toldAt(all: readonly DueMail[], bookedAt: Date): Date {
  const told = all.filter(({ kind }) => kind === 'booked' || kind === 'moved').map((mail) => mail.created_at)
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
    if (state !== 'confirmed' || !startsAt || !bookedAt || sequence !== mail.sequence) return 'drop'
    return judgeReminder(mail.kind, { startsAt, toldAt: toldAt(all, bookedAt) }, now)
  }
  if (mail.kind === 'cancelled') return session.state === 'cancelled' ? 'send' : 'drop'
  return session.state === 'confirmed' && session.ends_at && session.ends_at > now ? 'send' : 'drop'
}
