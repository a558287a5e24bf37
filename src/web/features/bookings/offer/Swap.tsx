import { useQuery } from '@tanstack/react-query'
import type { WaitlistOffer } from '#contract/waitlist/waitlist.ts'
import { serverNow } from '#web/lib/clock.ts'
import { formatPounds } from '#web/lib/money.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { useRenderAt } from '#web/lib/use-render-at.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { bankReturnsLabel } from '../bank-returns.ts'
import { swapQuery } from '../booking-queries.ts'

type SwapProps = { swap: NonNullable<WaitlistOffer['swap']>; isHeld: boolean }

/** Of a time that is held, the other session can be cancelled for as long as the turn lasts. */
export function Swap({ swap, isHeld }: SwapProps) {
  const until = swap.until && !isHeld ? Date.parse(swap.until) : undefined
  useRenderAt(until)
  const when = formatDayAndTime(swap.starts_at, viewerZone(), serverNow())
  if (!swap.possible || (until !== undefined && until <= serverNow())) {
    return (
      <Alert tone="warning" title="Your other session stays booked">
        {when} can no longer be cancelled, so this would be an extra session.
      </Alert>
    )
  }
  return (
    <Alert title={`This takes the place of ${when}`}>
      We cancel that session at the moment you book this one
      {until && `, if that is before ${formatDayAndTime(until, viewerZone(), serverNow())}`}.{' '}
      {swap.refund > 0
        ? (bankReturnsLabel({ dispute: swap.dispute ?? null }) ??
          `You get ${formatPounds(swap.refund)} back, to the card you paid with.`)
        : 'It has not been paid for, so there is nothing to give back.'}
    </Alert>
  )
}

type Session = { practitioner_id: number; starts_at: string | null }

/**
 * The session that booking a time would cancel: the client waits for the practitioner, and was told of this hour. Until
 * `isKnown`, nothing may be paid: what is not shown is not cancelled.
 */
export function useSwap({ practitioner_id, starts_at }: Session) {
  const query = useQuery({
    ...swapQuery(practitioner_id, starts_at ?? ''),
    enabled: starts_at !== null,
  })
  return { swap: query.data?.data, isKnown: starts_at === null || query.isFetchedAfterMount }
}

/** What the payment of a session says of the one that it was shown to cancel. */
export const replacedBy = (swap: WaitlistOffer['swap'] | undefined): string | null =>
  swap?.possible ? swap.appointment_id : null
