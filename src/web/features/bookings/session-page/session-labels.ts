import type { Session } from '#contract/sessions.ts'
import type { Moment } from './session-moment.ts'

/** What a session is called: help right now by its own name, another by its service. */
export function sessionName({ booking_type, service_name }: Session): string {
  return booking_type === 'get-help-right-now' ? 'Help right now' : (service_name ?? 'Session')
}

/** How it stands, in a sentence or two below the heading. */
export function momentLabel(session: Session, moment: Moment): string {
  const { you, other, booking_type, cancelled_by } = session
  const name = other.name
  switch (moment) {
    case 'live':
      if (booking_type === 'schedule') return 'Your session is on now.'
      return you === 'client'
        ? `Session is booked, thank you! ${name} has accepted and is there for you now.`
        : `You have accepted. ${name} is waiting for you.`
    case 'soon':
      return 'Your session begins in a few minutes.'
    case 'ahead':
      return 'Your session is booked.'
    case 'over':
      return `Your session has ended. Your chat with ${name} stays open.`
    case 'frozen':
      return 'We are checking this session. Its time is kept, and we will write to you as soon as we know more.'
    case 'missed':
      return you === 'client'
        ? `${name} told us that you did not come. If that is wrong, you can say so in My Sessions.`
        : `You told us that ${name} did not come.`
    case 'cancelled':
      return cancelledLabel(you, name, cancelled_by)
    default:
      return moment satisfies never
  }
}

function cancelledLabel(you: Session['you'], name: string, by: Session['cancelled_by']): string {
  if (by === you) return 'You cancelled this session.'
  return by === 'system' || by === null ? 'This session was cancelled.' : `${name} cancelled this session.`
}
