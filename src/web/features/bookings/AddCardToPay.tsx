import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Navigate } from 'react-router'
import { bookTherapistPath } from '#web/lib/booking-path.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { focusLate } from '#web/lib/focus-late.ts'
import { formatPounds } from '#web/lib/money.ts'
import { returnedMoneyLabel } from '#web/lib/returned-money.ts'
import { sessionPath } from '#web/lib/session-paths.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { useLateNavigate } from '#web/lib/use-late-navigate.ts'
import { AddCardScreen, type CardSlot } from '#web/ui/AddCardScreen.tsx'
import { offerPath } from '#web/lib/waitlist-path.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { BankAsked } from '#web/ui/BankAsked.tsx'
import { Card } from '#web/ui/Card.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ChoosingTime, Talking } from '#web/ui/illustrations/Scenes.tsx'
import { ButtonLink, TextLink } from '#web/ui/Link.tsx'
import type { AppointmentDetail } from '#contract/bookings/bookings.ts'
import { addCardPath, otherTimesPath, requestOf } from './booking-address.ts'
import { BookingLoading } from './BookingPage.tsx'
import { appointmentQuery } from './booking-queries.ts'
import { BookingProblem } from './BookingProblem.tsx'
import { BookingSummary, factsOf } from './BookingSummary.tsx'
import { InView } from './InView.tsx'
import { OfferClock } from './offer/OfferClock.tsx'
import { replacedBy, SwapBeforePaying, useSwap } from './offer/Swap.tsx'
import { HoldClock } from './HoldClock.tsx'
import { HoldEnded } from './HoldEnded.tsx'
import { PriceLines } from './PriceLines.tsx'
import { isHeld } from './use-booking.ts'
import { useHold } from './use-hold.ts'
import { usePaySession } from './use-pay-session.ts'
import { QueryError } from '#web/ui/QueryError.tsx'

/** A saved card, as far as paying with it goes. */
export type CardJustSaved = { customer_id: string; name: string }

type Props = {
  sessionId: string
  /** The session is an hour offered from a waitlist, which leads back to that offer. */
  offerId?: string | undefined
  /** For a session of help right now, which is paid for in its own way. */
  helpInstead: ReactNode
  /** The form; it hands over the card that it saved. */
  renderForm(form: CardSlot<CardJustSaved> & { onceLabel: string }): ReactNode
}

/** A held session is paid with a card that is added here. */
export function AddCardToPay({ sessionId, offerId, helpInstead, renderForm }: Props) {
  const query = useQuery(appointmentQuery(sessionId))
  const { data: session, error, refetch } = query
  const [, setEnds] = useState(0)
  if (!session) {
    if (!error) return <BookingLoading />
    if (error instanceof ApiError && error.status === 404) {
      return (
        <EmptyState
          title="There is no such booking"
          illustration={<ChoosingTime className="w-44" />}
          actions={<ButtonLink to={otherTimesPath(undefined)}>Find a Practitioner</ButtonLink>}
        >
          <p>We do not have a booking at this address, or it is not yours. Nothing was charged.</p>
        </EmptyState>
      )
    }
    return <QueryError title="Your booking did not load" query={query} />
  }
  if (session.booking_type === 'get-help-right-now') return helpInstead
  if (session.status === 'confirmed' || session.status === 'completed') {
    return (
      <EmptyState
        title="You have booked this session"
        illustration={<Talking className="w-44" />}
        actions={<ButtonLink to="/my-sessions">My Sessions</ButtonLink>}
      >
        <p>It is paid for. There is nothing left to do here.</p>
      </EmptyState>
    )
  }
  // The session was booked: its own page shows its state and its money.
  if (session.status === 'reserved' || session.status === 'no_show') {
    return <Navigate to={sessionPath(sessionId)} replace />
  }
  const isUnpaid = session.status === 'pending' || session.status === 'expired'
  if (!isUnpaid || !requestOf(session)) return <NotHeld session={session} />
  return (
    <PayWithNewCard
      session={session}
      offerId={offerId}
      renderForm={renderForm}
      onEnd={() => {
        setEnds((ends) => ends + 1)
        void refetch()
      }}
    />
  )
}

function PayWithNewCard({
  session,
  offerId,
  renderForm,
  onEnd,
}: Pick<Props, 'offerId' | 'renderForm'> & { session: AppointmentDetail; onEnd(): void }) {
  const navigate = useLateNavigate()
  const known = useSwap(session)
  const payment = usePaySession({
    replaces: replacedBy(known),
    onBooked: ({ appointment_id }) =>
      void navigate(`/session-is-booked?session=${appointment_id}`, { replace: true }),
  })
  const facts = factsOf(session)
  const request = requestOf(session)
  const timesPath = otherTimesPath(session.practitioner_id)
  const isRunning = isHeld(session)
  const holdBox = useRef<HTMLDivElement>(null)
  // An offer is not held again. A payment that has begun is brought to its end.
  const isOver = offerId !== undefined && !isRunning && payment.step === 'idle'
  const wasOver = useRef(isOver)
  useEffect(() => {
    // The form has gone, with what was focused in it.
    if (isOver && !wasOver.current) focusLate(holdBox.current)
    wasOver.current = isOver
  }, [isOver])
  const again = useHold(request, session, (held) => {
    if (request) void navigate(addCardPath(held, request), { replace: true, preventScrollReset: true })
  })
  /** What is typed outlives the hold, and so does the wish to pay: the time is held again first. */
  const pay = async ({ customer_id }: CardJustSaved) => {
    const held = isHeld(session) ? session : offerId ? undefined : await again.hold()
    if (held) payment.pay(held, customer_id)
  }
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_26rem]">
      <Card as="section" className="flex flex-col gap-5 lg:order-2">
        <div ref={holdBox} tabIndex={-1} className="flex flex-col gap-5">
          {isRunning && offerId ? (
            <OfferClock until={session.hold_expires_at ?? ''} onEnd={onEnd} />
          ) : isRunning ? (
            <HoldClock key={session.session_id} session={session} onEnd={onEnd} />
          ) : offerId ? (
            <OfferEnded offerId={offerId} />
          ) : (
            <HoldEnded
              again={again}
              bookPath={request ? bookTherapistPath(request) : timesPath}
              otherTimesPath={timesPath}
              // The button that was pressed has left.
              onHeld={() => focusLate(holdBox.current)}
            />
          )}
        </div>
        {facts && (
          <>
            {/* On a phone the form comes soon: who and when in one line. */}
            <p className="lg:hidden">
              {facts.practitioner.name}, {formatDayAndTime(facts.startsAt, viewerZone())}
            </p>
            <div className="hidden lg:block">
              <BookingSummary facts={facts} />
            </div>
          </>
        )}
        {!isOver && <SwapBeforePaying known={known} />}
        {!isOver && (
          <div className="border-t border-line pt-4">
            <PriceLines price={session} />
          </div>
        )}
      </Card>
      {!isOver && (
        <AddCardScreen<CardJustSaved>
          className="lg:order-1"
          payment={payment}
          submitLabel={`Save card and pay ${formatPounds(session.fee)}`}
          retryLabel={(card) => `Try again with ${card.name}`}
          onPay={(card) => void pay(card)}
          notice={
            isRunning && (
              <BankAsked
                session={session}
                payment={payment}
                label="Finish booking"
                isWaiting={!known.isKnown}
              />
            )
          }
          renderForm={(slot) =>
            renderForm({
              ...slot,
              isBusy: slot.isBusy || again.isPending || !known.isKnown,
              onceLabel: `Pay ${formatPounds(session.fee)}`,
            })
          }
          renderProblem={(error, retry) => (
            <InView>
              <BookingProblem error={error} otherTimesPath={timesPath} actions={retry} />
            </InView>
          )}
        >
          {request && (
            <p className="text-center text-sm">
              <TextLink to={offerId ? offerPath(offerId) : bookTherapistPath(request)}>
                Back to the booking and your saved cards
              </TextLink>
            </p>
          )}
        </AddCardScreen>
      )}
    </div>
  )
}

/** The turn has passed while the card was typed in. */
function OfferEnded({ offerId }: { offerId: string }) {
  return (
    <Alert
      tone="warning"
      live="polite"
      title="This time is no longer held for you"
      actions={
        <ButtonLink to={offerPath(offerId)} size="small">
          See how it stands
        </ButtonLink>
      }
    >
      Nothing was charged, and you keep your place on the waitlist.
    </Alert>
  )
}

function NotHeld({ session }: { session: AppointmentDetail }) {
  const request = requestOf(session)
  const returned = returnedMoneyLabel(session)
  return (
    <EmptyState
      title={returned ? 'This session is cancelled' : 'We are no longer holding this time'}
      illustration={<ChoosingTime className="w-44" />}
      actions={
        <>
          {request && <ButtonLink to={bookTherapistPath(request)}>Hold it again</ButtonLink>}
          <ButtonLink to={otherTimesPath(session.practitioner_id)} variant="secondary">
            Choose another time
          </ButtonLink>
        </>
      }
    >
      <p>
        {returned ??
          'It was released, or not paid in time. Nothing was charged. Any card you saved is still saved.'}
      </p>
    </EmptyState>
  )
}
