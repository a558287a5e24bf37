import { useSearchParams } from 'react-router'
import { OwnReferralCode } from '#web/features/accounts/OwnReferralCode.tsx'
import { UnconfirmedEmail } from '#web/features/accounts/UnconfirmedEmail.tsx'
import { BookedLoading, BookedSession } from '#web/features/bookings/BookedSession.tsx'
import { KeepHour } from '#web/features/series/KeepHour.tsx'
import { pageTitle } from '#web/lib/site.ts'

/** Until it is known what has become of it. */
export const meta = () => [{ title: pageTitle('Your session') }]

export const clientLoader = () => null

export function HydrateFallback() {
  return (
    <div className="page py-8 sm:py-12">
      <BookedLoading />
    </div>
  )
}

/** `?session=`: what was booked, where it is known. */
export default function SessionIsBooked() {
  const [search] = useSearchParams()
  const sessionId = search.get('session') ?? undefined
  return (
    <div className="page py-8 sm:py-12">
      <BookedSession
        sessionId={sessionId}
        after={
          <>
            {sessionId !== undefined && <KeepHour appointmentId={sessionId} />}
            <UnconfirmedEmail className="w-full" />
            <OwnReferralCode />
          </>
        }
      />
    </div>
  )
}
