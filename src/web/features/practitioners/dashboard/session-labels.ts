import type { TherapistSession } from '#contract/bookings/practitioner-sessions.ts'
import type { SessionAttendance } from '#contract/rooms/attendance.ts'
import { stayLabel } from '#web/lib/attendance.ts'
import { formatPounds } from '#web/lib/money.ts'
import { cancelCause } from '#web/lib/cancelled-label.ts'
import { formatDayAndTime, formatTime, type OtherClock } from '#web/lib/time.ts'
import type { When } from './dashboard-queries.ts'

/** Where a list of the caller's own sessions is. */
export function ownSessionsPath({ when, page = 1 }: { when: When; page?: number }): string {
  const query = new URLSearchParams()
  if (when === 'past') query.set('when', 'past')
  if (page > 1) query.set('page', String(page))
  return query.size > 0 ? `/therapist/sessions?${query}` : '/therapist/sessions'
}

/** The other clocks of a practitioner's session: the client's, and that of the practitioner's own schedule. */
export const clocksOf = (session: TherapistSession, timezone: string): OtherClock[] => [
  { whose: 'Client’s time', zone: session.client.timezone },
  { whose: 'On your schedule', zone: timezone },
]

/** Whether a regular hour can be offered from it: it was booked for a time, is not being checked, and its client can be reached. */
export const canBeKept = ({ booking_type, status, frozen_until, can }: TherapistSession) =>
  booking_type === 'schedule' &&
  frozen_until === null &&
  can.message &&
  (status === 'confirmed' || status === 'completed')

/**
 * Whether cancelling is offered. Once a session has been held and its room was ended for both, a failure is recorded as its
 * outcome instead.
 */
export const offersCancel = ({ can, room }: Pick<TherapistSession, 'can' | 'room'>) =>
  can.cancel && !(room?.ended_at && can.technical_failure)

/** What else can be done to a session, each asked about first, in the order of the buttons. */
export function actsOf({ can }: Pick<TherapistSession, 'can'>) {
  const acts = [
    { act: 'late_payment', label: 'Let them pay until it starts', isOffered: can.allow_late_payment },
    { act: 'completed', label: 'Mark as completed', isOffered: can.complete },
    { act: 'no_show', label: 'Client did not come', isOffered: can.no_show },
    { act: 'failed', label: 'It did not work', isOffered: can.technical_failure },
  ] as const
  return acts.filter(({ isOffered }) => isOffered)
}

/** What cancelling a session does to its time; undefined for help right now, which takes no bookable time. */
export const freedTimeLabel = ({ booking_type }: Pick<TherapistSession, 'booking_type'>) =>
  booking_type === 'get-help-right-now'
    ? undefined
    : 'The time becomes free for others to book. If you cannot see anyone then, add time off to your schedule first.'

/** What became of a session, or will by itself, in a few words. */
export function outcomeLabel(session: TherapistSession, now: number, zone: string): string {
  switch (session.status) {
    case 'completed':
      return 'Completed'
    case 'no_show':
      return noShowLabel(session, now, zone)
    case 'cancelled':
      return cancelledLabel(session)
    default:
      if (session.frozen_until) return 'Being checked'
      if (Date.parse(session.ends_at) > now) {
        if (session.status === 'reserved') return 'Reserved, not paid yet'
        if (session.room?.ended_at) return `Ended at ${formatTime(session.room.ended_at, zone)}`
        return Date.parse(session.starts_at) > now ? 'Booked' : 'Going on now'
      }
      return session.settles_at
        ? `Counts as completed on ${formatDayAndTime(session.settles_at, zone, now)}`
        : 'Completed'
  }
}

function cancelledLabel(session: TherapistSession): string {
  if (session.no_show?.state === 'overturned') return 'Disputed, decided for the client and refunded'
  const cause = cancelCause({ ...session, you: 'practitioner', name: session.client.name }, 'it')
  // Most dates of a series are cancelled before they are paid.
  return session.owed < session.fee ? `${cause}. The client was refunded` : cause
}

/** What became of the client's payment afterwards, in words. */
export const paymentChangeLabels: Record<NonNullable<TherapistSession['payment_change']>, string> = {
  partly_refunded: 'Partly refunded to the client',
  refunded: 'Refunded to the client',
  disputed: 'The client’s bank disputes the payment: it is withheld until that is decided',
  taken_back: 'The client’s bank has taken the payment back',
}

/** What was refunded of the fee: '£20 of £60 refunded'. Undefined for nothing, and for what a bank took back after a dispute. */
export function refundedLabel({
  fee,
  owed,
  payment_change,
}: Pick<TherapistSession, 'fee' | 'owed' | 'payment_change'>): string | undefined {
  if (owed >= fee || payment_change === 'taken_back') return undefined
  return `${formatPounds(fee - owed)} of ${formatPounds(fee)} refunded`
}

/** Where it stands that the client did not come: the fee can be paid out once it can no longer be disputed. */
function noShowLabel({ no_show }: TherapistSession, now: number, zone: string): string {
  if (no_show?.state === 'disputed') return 'Client did not come. They dispute it, and we are looking at it'
  if (no_show?.state === 'upheld') return 'Client did not come. They disputed it, and what you recorded stays'
  return no_show && Date.parse(no_show.dispute_until) > now
    ? `Client did not come. They can dispute it until ${formatDayAndTime(no_show.dispute_until, zone, now)}`
    : 'Client did not come'
}

/** `in 25 minutes`, `in 3 hours`; nothing for what is half a day away, or has begun. */
export function soonLabel(startsAt: string, now: number): string | undefined {
  const minutes = Math.ceil((Date.parse(startsAt) - now) / 60_000)
  if (minutes <= 0) return undefined
  if (minutes < 60) return `in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
  const hours = Math.round(minutes / 60)
  return hours < 12 ? `in ${hours} ${hours === 1 ? 'hour' : 'hours'}` : undefined
}

/** When both sides were in the room: 'Alex M. was in the room for 12 minutes, from 09:58 to 10:10. You were not there.' */
export function attendanceLabel(
  { client, practitioner }: SessionAttendance,
  clientName: string,
  zone: string,
): string {
  const theirs = client
    ? `${clientName} was in the room for ${stayLabel(client, zone)}.`
    : `${clientName} was not in the room.`
  return `${theirs} ${practitioner ? `You were there for ${stayLabel(practitioner, zone)}.` : 'You were not in the room.'}`
}
