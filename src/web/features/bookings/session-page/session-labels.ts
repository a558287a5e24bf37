import type { AppointmentDetail } from '#contract/bookings/bookings.ts'
import type { Session } from '#contract/sessions.ts'
import { cancelCause } from '#web/lib/cancelled-label.ts'
import { formatPounds } from '#web/lib/money.ts'
import { returnedMoneyLabel } from '#web/lib/returned-money.ts'
import { formatDayAndTime } from '#web/lib/time.ts'
import { bankReturnsLabel } from '../bank-returns.ts'
import { reservedLabel } from '../booking-labels.ts'
import type { Moment } from './session-moment.ts'

/** What a session is called: help right now by its own name, another by its service. */
export function sessionName({ booking_type, service_name }: Session): string {
  return booking_type === 'get-help-right-now' ? 'Help right now' : (service_name ?? 'Session')
}

/** How it stands, in a sentence or two below the heading. */
export function momentLabel(session: Session, moment: Moment): string {
  const { you, other, booking_type, status } = session
  const name = other.name
  if (status === 'reserved' && (moment === 'ahead' || moment === 'soon' || moment === 'live')) {
    return you === 'client'
      ? 'This time is reserved for you. It is not paid yet.'
      : `This time is reserved for ${name}, who has not paid yet.`
  }
  switch (moment) {
    case 'live':
      if (booking_type === 'schedule') return 'Your session is on now.'
      return you === 'client'
        ? `Session is booked, thank you! ${name} has accepted and is there for you now.`
        : `You have accepted. ${name} is waiting for you.`
    case 'soon':
      return 'Your session begins in a few minutes.'
    case 'ahead':
      return session.moved_from === null
        ? 'Your session is booked.'
        : 'Your session is booked. It has moved to a new time.'
    case 'over':
      return session.dialog_id === null
        ? 'Your session has ended.'
        : `Your session has ended. Your chat with ${name} stays open.`
    case 'frozen':
      return 'We are checking this session. Its time is kept, and we will write to you as soon as we know more.'
    case 'missed':
      return missedLabel(session)
    case 'cancelled':
      return cancelledLabel(session)
    default:
      return moment satisfies never
  }
}

function missedLabel({ you, other: { name }, as_client, as_practitioner }: Session): string {
  const state = (as_client ?? as_practitioner)?.no_show?.state
  if (you === 'practitioner') return `You told us that ${name} did not come.`
  return state === 'declared' || state === undefined
    ? `${name} told us that you did not come.`
    : `${name} told us that you did not come. You have told us otherwise.`
}

function cancelledLabel(session: Session): string {
  const { other, as_client, as_practitioner } = session
  if ((as_client ?? as_practitioner)?.no_show?.state === 'overturned')
    return 'This session was cancelled after a dispute.'
  return `${cancelCause({ ...session, name: other.name }, 'this session')}.`
}

/** What a client gets back who cancels in time. */
export function returnLabel({
  status,
  fee,
  dispute,
}: Pick<AppointmentDetail, 'status' | 'fee' | 'dispute'>): string {
  if (status === 'reserved') return 'If you cancel, nothing is charged.'
  return bankReturnsLabel({ dispute }) ?? `If you cancel by then, you get ${formatPounds(fee)} back.`
}

/** The price and what has been paid of it, one sentence a line. */
export function moneyLabels(session: Session, zone: string): string[] {
  const { as_client: own, as_practitioner: theirs, price, status, series, other } = session
  if (status === 'reserved' && series?.asked_price) {
    const { fee, answer_by } = series.asked_price
    return [
      `${formatPounds(fee)} if ${own ? 'you agree' : `${other.name} agrees`} to the new price, ${formatPounds(price)} so far`,
      `Not paid yet. Unless it is agreed by ${formatDayAndTime(answer_by, zone)}, this session does not take place.`,
    ]
  }
  if (theirs) {
    if (theirs.status !== 'reserved') return [`${formatPounds(price)} for the session`]
    return [`${formatPounds(price)} for the session`, unpaidLabel(theirs, session.other.name, zone)]
  }
  if (!own) return [`${formatPounds(price)} paid`]
  if (own.status === 'reserved') {
    const { words, isDue, lacksCard } = reservedLabel(own, zone)
    // Above the facts the page asks for a payment that is due or for a card, or says that the session is being checked.
    return [formatPounds(price), isDue || lacksCard || own.frozen_until ? 'Not paid yet.' : words]
  }
  const returned = returnedMoneyLabel(own)
  return [
    `${formatPounds(price)} paid`,
    ...(own.discount > 0
      ? [`${formatPounds(own.discount)} off the price of ${formatPounds(own.full_fee)}`]
      : []),
    ...(returned === undefined ? [] : [returned]),
  ]
}

/** To the practitioner, where the payment of a reserved session stands. */
function unpaidLabel(
  { payment_due, pay_at, pay_by }: NonNullable<Session['as_practitioner']>,
  name: string,
  zone: string,
): string {
  const until = pay_by
    ? ` ${name} can pay until ${formatDayAndTime(pay_by, zone)}. After that the time is free again.`
    : ''
  switch (payment_due) {
    case 'checking':
      return 'The payment is being checked.'
    case 'needed':
    case 'retrying':
      return `The payment did not go through.${until}`
    case 'open':
      return `Not paid yet.${until}`
    default:
      return pay_at ? `We take the payment on ${formatDayAndTime(pay_at, zone)}.` : 'Not paid yet.'
  }
}

/** How a client gets ready, for as long as it is ahead. */
export function readyTips({ appointment_type, booking_type }: Session): string[] {
  if (booking_type === 'get-help-right-now') return []
  const shared = 'Think about the one thing you most want to talk about. A few words on paper are enough.'
  return appointment_type === 'online'
    ? [
        'Find a room where you will not be disturbed, with headphones if you have them.',
        'Charge your phone or computer, and close other calls and videos.',
        shared,
      ]
    : [
        'Look up the way beforehand, and plan to arrive five minutes early.',
        'If you are running late, send a message.',
        shared,
      ]
}

/** Whether either may write to the other. Only a server that does not state `chat_closed` leaves it to the check of the session. */
export const mayMessage = ({ as_practitioner, chat_closed, frozen_until }: Session): boolean =>
  as_practitioner?.can.message !== false && !(chat_closed ?? frozen_until !== null)

/** A map at a place. It is opened by a press; nothing of it is loaded before. */
export const mapUrl = ({ latitude, longitude }: NonNullable<Session['coordinates']>): string =>
  `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`
