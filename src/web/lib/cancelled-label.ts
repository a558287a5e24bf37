import type { PastSession } from '#contract/reviews.ts'

type Cancelled = Pick<
  PastSession,
  'cancelled_by' | 'cancelled_because' | 'no_show' | 'series_id' | 'refund'
> & {
  practitioner: Pick<PastSession['practitioner'], 'first_name'>
}

/** To a client, why a session was cancelled. */
export function cancelledLabel(session: Cancelled): string {
  const { cancelled_by, cancelled_because, no_show, practitioner, series_id, refund } = session
  if (no_show?.state === 'overturned')
    return `${practitioner.first_name} recorded that you did not come. You disputed it, and we decided in your favour.`
  if (cancelled_because === 'series_ended')
    return 'It was cancelled because your regular sessions ended or changed. Nothing was charged.'
  if (cancelled_by === 'practitioner') return `${practitioner.first_name} cancelled it.`
  if (cancelled_by === 'client') return 'You cancelled it.'
  return series_id !== null && refund === null
    ? 'It was not paid, so it was cancelled. Nothing was charged.'
    : 'It had to be cancelled.'
}
