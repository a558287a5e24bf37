import { useEffect, useEffectEvent, useRef } from 'react'
import { serverNow } from '#web/lib/clock.ts'
import { formatTime, viewerZone } from '#web/lib/time.ts'
import { useLateNavigate } from '#web/lib/use-late-navigate.ts'
import { Button } from '#web/ui/Button.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { addCardPath, type BookingRequest, otherTimesPath } from './booking-address.ts'
import { HoldClock } from './HoldClock.tsx'
import { useLettingGo } from './OtherHolds.tsx'
import { replacedBy, SwapBeforePaying, useSwap } from './offer/Swap.tsx'
import { type CardsToPayWith, PayWithCard } from './PayWithCard.tsx'
import { ChangeTerms } from './ReviewPanel.tsx'
import type { BookingView } from './use-booking.ts'
import { usePaySession } from './use-pay-session.ts'

type Props = {
  request: BookingRequest
  view: Extract<BookingView, { stage: 'held' }>
  cards: CardsToPayWith
  onEnd(): void
}

/** While the time is held: how long, the card, and the ways out. */
export function HeldPanel({ request, view, cards, onEnd }: Props) {
  const { session, preview } = view
  const navigate = useLateNavigate()
  const isSettled = useRef(false)
  const until = session.hold_expires_at ?? ''
  const known = useSwap(session)
  const payment = usePaySession({
    replaces: replacedBy(known),
    onBooked(booked) {
      isSettled.current = true
      void navigate('/my-sessions', { replace: true, state: { booked: booked.appointment_id } })
    },
  })
  const letting = useLettingGo(session.session_id, () => {
    isSettled.current = true
    void navigate(otherTimesPath(request.practitionerId))
  })
  useTellingOnLeave(until, isSettled)

  return (
    <>
      <HoldClock session={session} onEnd={onEnd} />
      <SwapBeforePaying known={known} />
      {preview && <ChangeTerms until={preview.change_until} startsAt={session.starts_at ?? ''} />}
      <PayWithCard
        session={session}
        cards={cards}
        payment={payment}
        addCardPath={addCardPath(session, request)}
        otherTimesPath={otherTimesPath(request.practitionerId)}
        isWaiting={letting.isPending || !known.isKnown}
      >
        <Button
          variant="quiet"
          fullWidth
          onPress={letting.start}
          isPending={letting.isPending}
          isDisabled={payment.step !== 'idle'}
        >
          Release this time
        </Button>
        {letting.error && (
          <p role="alert" className="text-sm text-danger">
            {letting.error}
          </p>
        )}
      </PayWithCard>
    </>
  )
}

/** Tells a client who leaves without paying until when the hold lasts. The hold is not released. */
function useTellingOnLeave(until: string, isSettled: { readonly current: boolean }): void {
  const tell = useEffectEvent(() => {
    const isElsewhere = !['/book-therapist', '/add-card'].includes(window.location.pathname)
    if (!isElsewhere || isSettled.current || Date.parse(until) <= serverNow()) return
    showToast(
      `Your time stays held until ${formatTime(until, viewerZone())}. Nothing has been charged.`,
      'info',
    )
  })
  useEffect(() => () => tell(), [])
}
