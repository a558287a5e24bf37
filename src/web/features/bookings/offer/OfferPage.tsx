import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { WaitlistOffer } from '#contract/waitlist/waitlist.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { bookTherapistPath } from '#web/lib/booking-path.ts'
import { clockPlace, viewerZone } from '#web/lib/time.ts'
import { ownWaitlistPath } from '#web/lib/waitlist-path.ts'
import { useAction } from '#web/lib/use-action.ts'
import { ActionDialog } from '#web/ui/ActionDialog.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ChoosingTime } from '#web/ui/illustrations/Scenes.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { QueryError } from '#web/ui/QueryError.tsx'
import { addCardPath, otherTimesPath } from '../booking-address.ts'
import { BookingLoading } from '../BookingPage.tsx'
import { waitlistOfferQuery } from '../booking-queries.ts'
import { type BookingFacts, BookingSummary, placeOf } from '../BookingSummary.tsx'
import { type CardsToPayWith, PayWithCard } from '../PayWithCard.tsx'
import { PriceLines } from '../PriceLines.tsx'
import { ChangeTerms } from '../ReviewPanel.tsx'
import { usePaySession } from '../use-pay-session.ts'
import { OfferClock } from './OfferClock.tsx'
import { OfferOver } from './OfferOver.tsx'
import { replacedBy, Swap } from './Swap.tsx'

type Props = { offerId: string; cards: CardsToPayWith }

/** An hour offered from a waitlist: what it is and costs, how long it is held, and the ways to take it or say no. */
export function OfferPage({ offerId, cards }: Props) {
  const query = useQuery(waitlistOfferQuery(offerId))
  const { data: offer, error } = query
  if (!offer) {
    if (!error) return <BookingLoading />
    if (error instanceof ApiError && [404, 422].includes(error.status)) {
      return (
        <EmptyState
          title="There is no such offer"
          illustration={<ChoosingTime className="w-44" />}
          actions={<ButtonLink to={ownWaitlistPath}>Your waitlists</ButtonLink>}
        >
          <p>The link may be incomplete, or it belongs to another account. Nothing was charged.</p>
        </EmptyState>
      )
    }
    return <QueryError title="This offer did not load" query={query} />
  }
  const isRunning = offer.state === 'open' && offer.available
  return isRunning ? (
    <OpenOffer offer={offer} cards={cards} onEnd={() => void query.refetch()} />
  ) : (
    <OfferOver offer={offer} onLookAgain={() => void query.refetch()} />
  )
}

function OpenOffer({ offer, cards, onEnd }: { offer: WaitlistOffer; cards: CardsToPayWith; onEnd(): void }) {
  const { practitioner } = offer
  const [isDeclining, setDeclining] = useState(false)
  const decline = useAction('POST /waitlist/offers/{id}/decline', {
    invalidates: [waitlistOfferQuery(offer.offer_id).queryKey],
  })
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  const sayNo = (
    <Button variant="quiet" fullWidth onPress={() => setDeclining(true)}>
      No, thank you
    </Button>
  )
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_26rem]">
      <Card as="section" className="flex flex-col gap-5">
        <BookingSummary facts={factsOf(offer)} />
        <p className="text-sm text-soft">Times are in {clockPlace(viewerZone(), offer.starts_at)}.</p>
        {offer.swap && <Swap swap={offer.swap} isHeld={offer.kind === 'turn'} />}
      </Card>
      <Card as="section" className="flex flex-col gap-5">
        <h2 className="text-2xl">{offer.kind === 'turn' ? 'Take this time' : 'Book this time'}</h2>
        {offer.kind === 'turn' && offer.expires_at ? (
          <OfferClock until={offer.expires_at} onEnd={onEnd} />
        ) : (
          <p className="rounded-lg border border-line bg-raised p-4 text-sm">
            It starts soon, so we cannot keep it for you: it goes to the first person who books it. If it is
            not you, you keep your place.
          </p>
        )}
        <PriceLines price={offer} />
        <ChangeTerms until={offer.change_until} startsAt={offer.starts_at} />
        {offer.kind === 'turn' && offer.appointment_id ? (
          <PayOffer offer={offer} appointmentId={offer.appointment_id} cards={cards}>
            {sayNo}
          </PayOffer>
        ) : (
          <div className="flex flex-col gap-3">
            <ButtonLink
              fullWidth
              to={bookTherapistPath({
                practitionerId: practitioner.practitioner_id,
                serviceId: offer.service_id,
                startsAt: offer.starts_at,
                type: offer.appointment_type,
              })}
            >
              Check and book
            </ButtonLink>
            <ButtonLink variant="quiet" fullWidth to={ownWaitlistPath}>
              Your waitlists
            </ButtonLink>
          </div>
        )}
      </Card>
      {isDeclining && (
        <ActionDialog
          onClose={() => setDeclining(false)}
          title="Say no to this time?"
          confirmLabel="Say no"
          cancelLabel="Go back"
          failureTitle="We could not note that"
          onConfirm={() => decline.send({ params: { id: offer.offer_id } })}
        >
          <p>We offer it to the next person. You keep your place on the waitlist, and nothing is charged.</p>
        </ActionDialog>
      )}
    </div>
  )
}

type PayProps = {
  offer: WaitlistOffer
  appointmentId: string
  cards: CardsToPayWith
  children: React.ReactNode
}

function PayOffer({ offer, appointmentId, cards, children }: PayProps) {
  const navigate = useNavigate()
  const payment = usePaySession({
    replaces: replacedBy({ swap: offer.swap, lookAgain: undefined }),
    onBooked: (booked) =>
      void navigate('/my-sessions', { replace: true, state: { booked: booked.appointment_id } }),
  })
  const session = { session_id: appointmentId, fee: offer.fee }
  return (
    <PayWithCard
      session={session}
      cards={cards}
      payment={payment}
      addCardPath={addCardPath(session, { offerId: offer.offer_id })}
      otherTimesPath={otherTimesPath(offer.practitioner.practitioner_id)}
    >
      {payment.step === 'idle' && children}
    </PayWithCard>
  )
}

function factsOf(offer: WaitlistOffer): BookingFacts {
  const { practitioner } = offer
  return {
    practitioner: {
      name: practitioner.full_name,
      providerTypes: [],
      image: practitioner.main_image,
      timezone: practitioner.timezone,
    },
    serviceName: offer.service_name,
    type: offer.appointment_type,
    startsAt: offer.starts_at,
    endsAt: offer.ends_at,
    place: offer.location ? placeOf(offer.location) : undefined,
  }
}
