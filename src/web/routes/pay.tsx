import { useNavigate, useSearchParams } from 'react-router'
import { BookingLoading } from '#web/features/bookings/BookingPage.tsx'
import { PayReserved } from '#web/features/bookings/PayReserved.tsx'
import { useCardParts } from '#web/features/payments/use-card-parts.tsx'
import { pageTitle } from '#web/lib/site.ts'
import { PageHeading } from '#web/ui/PageHeading.tsx'

export const meta = () => [{ title: pageTitle('Pay for your session') }]

export const clientLoader = () => null

export function HydrateFallback() {
  return (
    <div className="page">
      <PageHeading title="Pay for your session" />
      <BookingLoading />
    </div>
  )
}

/** `?appointment`: a reserved session that is to be paid. */
export default function Pay() {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const cards = useCardParts()
  const appointmentId = search.get('appointment') ?? ''
  return (
    <div className="page pb-16">
      <PayReserved
        key={appointmentId}
        appointmentId={appointmentId}
        cards={cards}
        onPaid={(id) => void navigate(`/session-is-booked?session=${id}`, { replace: true })}
      />
    </div>
  )
}
