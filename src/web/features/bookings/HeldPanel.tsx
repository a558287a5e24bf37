import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { serverNow } from '#web/lib/clock.ts'
import { focusFirstInvalid } from '#web/lib/form.ts'
import { formatPounds } from '#web/lib/money.ts'
import { formatTime, viewerZone } from '#web/lib/time.ts'
import { Button } from '#web/ui/Button.tsx'
import { FieldError } from '#web/ui/FieldFrame.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { BankCheck } from '#web/ui/BankCheck.tsx'
import { addCardPath, type BookingRequest, otherTimesPath } from './booking-address.ts'
import { BookingProblem } from './BookingProblem.tsx'
import { HoldClock } from './HoldClock.tsx'
import { useLettingGo } from './OtherHolds.tsx'
import { ChangeTerms } from './ReviewPanel.tsx'
import type { BookingView } from './use-booking.ts'
import { usePaySession } from './use-pay-session.ts'

/** The saved cards as the booking needs them. */
export type CardsToPayWith = {
  chosenId: string | undefined
  /** How many there are; undefined while that is not known. */
  count: number | undefined
  choice: ReactNode
  refresh(): Promise<readonly unknown[]>
}

type Props = {
  request: BookingRequest
  view: Extract<BookingView, { stage: 'held' }>
  cards: CardsToPayWith
  onEnd(): void
}

/** While the time is held: the card, the price on the button, and the ways out. */
export function HeldPanel({ request, view, cards, onEnd }: Props) {
  const { session, preview } = view
  const navigate = useNavigate()
  const isSettled = useRef(false)
  const until = session.hold_expires_at ?? ''
  const payment = usePaySession({
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

  const { chosenId } = cards
  const isPaying = payment.step !== 'idle'
  const choice = useRef<HTMLDivElement>(null)
  const [presses, setPresses] = useState(0)
  const isCardMissing = presses > 0 && chosenId === undefined
  useEffect(() => {
    if (presses > 0 && choice.current) focusFirstInvalid(choice.current)
  }, [presses])
  return (
    <>
      <HoldClock session={session} onEnd={onEnd} />
      {preview && <ChangeTerms until={preview.change_until} startsAt={session.starts_at ?? ''} />}
      <div ref={choice}>
        <div data-invalid={isCardMissing ? '' : undefined} className="flex flex-col gap-2">
          {cards.choice}
          {isCardMissing && (
            <div role="alert">
              <FieldError id="card-missing">Choose a card, or use another one.</FieldError>
            </div>
          )}
        </div>
      </div>
      {payment.step !== 'asking' && payment.error !== undefined && (
        <BookingProblem error={payment.error} otherTimesPath={otherTimesPath(request.practitionerId)} />
      )}
      <div className="flex flex-col gap-3">
        {cards.count === 0 ? (
          <ButtonLink to={addCardPath(session, request)} fullWidth>
            Add a card and pay {formatPounds(session.fee)}
          </ButtonLink>
        ) : (
          <>
            <Button
              fullWidth
              isDisabled={cards.count === undefined}
              isPending={isPaying}
              pendingLabel="Paying and booking"
              onPress={() => {
                if (chosenId) payment.pay(session, chosenId)
                else setPresses((before) => before + 1)
              }}
            >
              Pay {formatPounds(session.fee)}
            </Button>
            <ButtonLink to={addCardPath(session, request)} variant="secondary" fullWidth>
              Use another card
            </ButtonLink>
          </>
        )}
        <Button
          variant="quiet"
          fullWidth
          onPress={letting.start}
          isPending={letting.isPending}
          isDisabled={isPaying}
        >
          Release this time
        </Button>
        {letting.error && (
          <p role="alert" className="text-sm text-danger">
            {letting.error}
          </p>
        )}
      </div>
      <BankCheck checked={payment} />
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
