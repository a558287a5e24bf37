import type { AppointmentDetail } from '#contract/bookings/bookings.ts'
import type { PastSession } from '#contract/reviews.ts'

type Cancelled = Pick<AppointmentDetail, 'cancelled_by' | 'cancelled_because'> & {
  you: 'client' | 'practitioner'
  /** The name of the other person. */
  name: string
}

/** Why a session was cancelled, to one of its two people: a sentence without its full stop. */
export function cancelCause(
  { you, name, cancelled_by: by, cancelled_because }: Cancelled,
  it: 'it' | 'this session',
): string {
  const subject = it === 'it' ? 'It' : 'This session'
  switch (cancelled_because) {
    case 'unpaid':
      return `${subject} was cancelled because it was not paid in time`
    case 'series_ended':
      return `${subject} was cancelled because your regular sessions ended or changed`
    case 'practitioner_absent':
      return you === 'client'
        ? `${name} did not come, so ${it} was cancelled`
        : `${name} told us that you did not come, so ${it} was cancelled`
    case 'technical_failure':
      return `${subject} was cancelled because the connection did not work`
    default:
      if (by === you) return `You cancelled ${it}`
      return by === 'system' || !by ? `${subject} had to be cancelled` : `${name} cancelled ${it}`
  }
}

type OwnCancelled = Pick<
  PastSession,
  'cancelled_by' | 'cancelled_because' | 'no_show' | 'series_id' | 'refund'
> & {
  practitioner: Pick<PastSession['practitioner'], 'first_name'>
}

/** To a client, why a session was cancelled. */
export function cancelledLabel(session: OwnCancelled): string {
  const name = session.practitioner.first_name
  // A date of a series can be cancelled before it is paid.
  return session.no_show?.state === 'overturned'
    ? `${name} recorded that you did not come. You disputed it, and we decided in your favour.`
    : `${cancelCause({ ...session, you: 'client', name }, 'it')}.${session.series_id && !session.refund ? ' Nothing was charged.' : ''}`
}
