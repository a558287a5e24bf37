import type { ReactNode } from 'react'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Alert, type AlertTone } from '#web/ui/Alert.tsx'
import { AlreadyBooked } from './AlreadyBooked.tsx'

type Way = 'other time' | 'my sessions'
type Words = {
  title: string
  tone?: AlertTone
  text?: string
  ways?: readonly Way[]
  /** It may have been carried out; pressing again does no harm. */
  isUnclear?: true
}

const words: Partial<Record<ApiError['code'], Words>> = {
  slot_taken: {
    title: 'This time is no longer free',
    tone: 'warning',
    text: 'Nothing was charged. Please choose another time.',
    ways: ['other time'],
  },
  slot_not_offered: { title: 'This time is no longer free', tone: 'warning', ways: ['other time'] },
  client_busy: {
    title: 'You have another session at this time',
    tone: 'warning',
    text: 'It is already booked, or held for you until you pay. Please choose another time.',
    ways: ['other time', 'my sessions'],
  },
  too_many_holds: {
    title: 'You are holding two other times',
    tone: 'warning',
    text: 'Please finish or release one of them first.',
  },
  changed_elsewhere: { title: 'This has changed meanwhile', tone: 'warning' },
  forbidden: { title: 'You cannot book this session', tone: 'warning' },
  offer_over: {
    title: 'This time is no longer held for you',
    tone: 'warning',
    text: 'Nothing was charged, and you keep your place on the waitlist.',
  },
  hold_expired: { title: 'We are no longer holding this time', tone: 'warning' },
  price_changed: { title: 'The price is different', tone: 'info' },
  card_declined: { title: 'This card did not work' },
  authentication_required: { title: 'Your bank has not confirmed it', tone: 'warning' },
  not_paid: { title: 'The payment did not go through' },
  not_payable: { title: 'There is nothing to pay', tone: 'info', ways: ['my sessions'] },
  payment_unavailable: { title: 'The payment did not go through' },
  too_late_to_change: { title: 'It is too late to change this session', tone: 'warning' },
  not_changeable: { title: 'This session can no longer be changed', tone: 'warning' },
  too_many_requests: { title: 'Too many attempts', tone: 'warning' },
  request_in_progress: { title: 'It is still going through', tone: 'info', isUnclear: true },
  network_failure: { title: 'The connection was lost', isUnclear: true },
  timed_out: { title: 'That took too long', isUnclear: true },
  internal_error: { title: 'Something went wrong', isUnclear: true },
  unreadable_answer: { title: 'Something went wrong', isUnclear: true },
}

type Props = {
  error: unknown
  /** Where another time is chosen; left out where that is on the same screen. */
  otherTimesPath?: string
  /** Why pressing again does no harm, where it is not clear whether it was carried out. */
  onRepeat?: string
  /** Before the ways that come with the error. */
  actions?: ReactNode
}

/** Why a booking, payment or change did not go through, with the ways out. Heard when it appears. */
export function BookingProblem({
  error,
  otherTimesPath,
  onRepeat = 'nothing is charged or booked twice',
  actions,
}: Props) {
  const ownSession = error instanceof ApiError ? error.details.own_session_id : undefined
  if (typeof ownSession === 'string') {
    return <AlreadyBooked appointmentId={ownSession} otherTimesPath={otherTimesPath} live="assertive" />
  }
  const known: Words = (error instanceof ApiError && words[error.code]) || { title: 'That did not work' }
  const ways = (known.ways ?? []).filter((way) => way !== 'other time' || otherTimesPath)
  const links = (
    <>
      {actions}
      {ways.includes('other time') && otherTimesPath && (
        <ButtonLink to={otherTimesPath} size="small">
          Choose another time
        </ButtonLink>
      )}
      {ways.includes('my sessions') && (
        <ButtonLink to="/my-sessions" size="small" variant="secondary">
          My Sessions
        </ButtonLink>
      )}
    </>
  )
  const hasLinks = Boolean(actions) || ways.length > 0
  return (
    <Alert
      tone={known.tone ?? 'danger'}
      live="assertive"
      title={known.title}
      actions={hasLinks ? links : undefined}
    >
      {known.isUnclear
        ? `We cannot tell yet whether it went through. Please press the button again: ${onRepeat}.`
        : (known.text ?? messageOf(error))}
    </Alert>
  )
}
