import { useSearchParams } from 'react-router'
import { HaveCode } from '#web/features/accounts/HaveCode.tsx'
import { readBookingRequest } from '#web/features/bookings/booking-address.ts'
import { BookStart } from '#web/features/bookings/BookStart.tsx'
import {
  BookingHeading,
  BookingLoading,
  BookingPage,
  BookingUnknown,
} from '#web/features/bookings/BookingPage.tsx'
import { OfferPage } from '#web/features/bookings/offer/OfferPage.tsx'
import { CardChoice } from '#web/features/payments/CardChoice.tsx'
import { useSavedCards } from '#web/features/payments/use-saved-cards.ts'
import { pageTitle } from '#web/lib/site.ts'
import { PageHeading } from '#web/ui/PageHeading.tsx'

export const meta = () => [{ title: pageTitle('Check and pay') }]

export const clientLoader = () => null

export function HydrateFallback() {
  return (
    <div className="page">
      <BookingHeading />
      <BookingLoading />
    </div>
  )
}

/**
 * `?practitionerId&service&datetime&type`: a booking is reviewed, held and paid here. `?practitionerId` alone starts a chat
 * or the choice of a time. `?offer` is a time offered from a waitlist.
 */
export default function BookTherapist() {
  const [search] = useSearchParams()
  const request = readBookingRequest(search)
  const saved = useSavedCards()
  const cards = {
    chosenId: saved.chosen?.customer_id,
    count: saved.cards?.length,
    choice: <CardChoice saved={saved} />,
    refresh: saved.refresh,
  }
  const offerId = search.get('offer')
  if (offerId) {
    return (
      <div className="page">
        <PageHeading title="A time for you" lead="From the waitlist." />
        <OfferPage key={offerId} offerId={offerId} cards={cards} />
      </div>
    )
  }
  if ('missing' in request) {
    return (
      <div className="page">
        <PageHeading title="Book a session" />
        {request.practitionerId === undefined ? (
          <BookingUnknown />
        ) : (
          <BookStart practitionerId={request.practitionerId} />
        )}
      </div>
    )
  }
  return (
    <div className="page">
      <BookingPage
        key={search.toString()}
        request={request}
        cards={cards}
        renderCode={(code) => <HaveCode {...code} />}
      />
    </div>
  )
}
