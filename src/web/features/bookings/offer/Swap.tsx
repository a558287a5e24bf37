import { useQuery } from '@tanstack/react-query'
import type { WaitlistOffer } from '#contract/waitlist/waitlist.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { serverNow } from '#web/lib/clock.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { useRenderAt } from '#web/lib/use-render-at.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { swapQuery } from '../booking-queries.ts'
import { swapReturnsLabel } from './swap-labels.ts'

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
      {swapReturnsLabel(swap)}
    </Alert>
  )
}

type Session = { practitioner_id: number; starts_at: string | null }

/**
 * The session that booking a time would cancel: the client waits for the practitioner, and was told of this hour. Until it
 * `isKnown`, nothing is paid: what is not shown is not cancelled. A server of the release before does not tell.
 */
export function useSwap({ practitioner_id, starts_at }: Session) {
  const query = useQuery({
    ...swapQuery(practitioner_id, starts_at ?? ''),
    enabled: starts_at !== null,
  })
  const { error } = query
  const isUntold = error instanceof ApiError && error.status === 404
  return {
    swap: query.data?.data,
    isKnown: starts_at === null || query.isFetchedAfterMount,
    lookAgain: error && !isUntold ? () => void query.refetch() : undefined,
  }
}

export type KnownSwap = ReturnType<typeof useSwap>

/** What a page that takes the money says of the session that gives way, if one does. */
export function SwapBeforePaying({ known: { swap, lookAgain } }: { known: KnownSwap }) {
  if (lookAgain) {
    return (
      <Alert
        tone="warning"
        title="Your other sessions stay booked"
        actions={
          <Button size="small" variant="secondary" onPress={lookAgain}>
            Look again
          </Button>
        }
      >
        We could not see whether this time takes the place of another one. If you wait for such a swap, look
        again before you pay.
      </Alert>
    )
  }
  return swap ? <Swap swap={swap} isHeld={false} /> : null
}

/** What the payment of a session says of the one that it was shown to cancel. */
export const replacedBy = ({ swap, lookAgain }: Omit<KnownSwap, 'isKnown'>): WaitlistOffer['swap'] =>
  swap?.possible && !lookAgain ? swap : null
