import type { ReactNode } from 'react'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { Alert, type AlertTone } from '#web/ui/Alert.tsx'

type Words = { title: string; tone?: AlertTone; text?: string; isUnclear?: true }

const words: Partial<Record<ApiError['code'], Words>> = {
  card_declined: { title: 'This card did not work' },
  authentication_required: { title: 'Your bank has not confirmed it', tone: 'warning' },
  price_changed: { title: 'The price is different', tone: 'info' },
  // The payment may go on without an answer, and the search with it.
  payment_unavailable: { title: 'We have no answer from the bank yet', tone: 'warning', isUnclear: true },
  client_busy: { title: 'You have another session at this time', tone: 'warning' },
  too_many_requests: { title: 'Too many attempts', tone: 'warning' },
  hold_expired: {
    title: 'We are no longer holding this therapist',
    tone: 'warning',
    text: 'The five minutes to pay are over. Nothing was charged. You can search again at once.',
  },
  request_in_progress: { title: 'It is still going through', tone: 'info', isUnclear: true },
  network_failure: { title: 'The connection was lost', isUnclear: true },
  timed_out: { title: 'That took too long', isUnclear: true },
  internal_error: { title: 'Something went wrong', isUnclear: true },
  unreadable_answer: { title: 'Something went wrong', isUnclear: true },
}

/** Why paying or stopping did not go through, with the ways out. Heard when it appears. */
export function HelpProblem({ error, actions }: { error: unknown; actions?: ReactNode }) {
  const known: Words = (error instanceof ApiError && words[error.code]) || { title: 'That did not work' }
  return (
    <Alert tone={known.tone ?? 'danger'} live="assertive" title={known.title} actions={actions}>
      {known.isUnclear
        ? 'We cannot tell yet whether it went through. Please press the button again: nothing is charged or started twice.'
        : (known.text ?? messageOf(error))}
    </Alert>
  )
}
