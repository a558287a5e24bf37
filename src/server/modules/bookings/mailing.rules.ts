import type { AppointmentState } from '#contract/bookings.ts'
import { minutes } from '../../clock.ts'

export type SessionMailKind = 'booked' | 'moved' | 'cancelled' | 'refunded'
export type MailRecipient = 'client' | 'practitioner'
export type MailOutcome = 'sent' | 'dropped' | 'refused'

/** Who is told of what. The practitioner has nothing to do with a refund. */
export const recipientsOf: Record<SessionMailKind, readonly MailRecipient[]> = {
  booked: ['client', 'practitioner'],
  moved: ['client', 'practitioner'],
  cancelled: ['client', 'practitioner'],
  refunded: ['client'],
}

/** Longer than a mail server may take; whoever has not come back by then has ended in the middle of it. */
export const claimLasts = minutes(3)

type DueMail = {
  id: string
  kind: SessionMailKind
  sequence: number
  outcome: MailOutcome | null
  claimed_until: Date | null
}

/**
 * What to do now with a mail that was due when something happened:
 * - `done`: it has been settled.
 * - `wait`: a mail about the same session to the same person is on its way. One goes out after the other, so that
 *   nobody reads of a booking after its cancellation.
 * - `later`: what it tells of has not happened yet; whoever makes it happen asks again.
 * - `drop`: it is no longer so. A mail about the newer state is due, or the session is over.
 * - `send`.
 *
 * `all` are the mails about the session to this recipient, this one among them.
 */
export function judgeMail(
  mail: DueMail,
  all: readonly DueMail[],
  session: { state: AppointmentState; ends_at: Date | null },
  refundsArrived: boolean,
  now: Date,
): 'done' | 'wait' | 'later' | 'drop' | 'send' {
  if (mail.outcome) return 'done'
  if (all.some((each) => !each.outcome && each.claimed_until && each.claimed_until > now)) return 'wait'
  if (mail.kind === 'refunded') return refundsArrived ? 'send' : 'later'
  if (all.some((each) => each.kind !== 'refunded' && each.sequence > mail.sequence)) return 'drop'
  if (mail.kind === 'cancelled') return session.state === 'cancelled' ? 'send' : 'drop'
  return session.state === 'confirmed' && session.ends_at && session.ends_at > now ? 'send' : 'drop'
}
