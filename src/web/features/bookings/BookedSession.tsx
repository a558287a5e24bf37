import { useQuery } from '@tanstack/react-query'
import { viewerZone } from '#web/lib/time.ts'
import { Card } from '#web/ui/Card.tsx'
import { Talking } from '#web/ui/illustrations/Scenes.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { appointmentQuery } from './booking-queries.ts'
import { changeUntilWords } from './booking-words.ts'
import { BookingSummary, factsOf } from './BookingSummary.tsx'
import { PriceLines } from './PriceLines.tsx'
import { poundsToPence } from '#web/lib/money.ts'

/** The confirmation of a booking, with its details where they are known. It never says so of what is not booked. */
export function BookedSession({ sessionId }: { sessionId: string | undefined }) {
  const { data: session, isLoading } = useQuery({
    ...appointmentQuery(sessionId ?? ''),
    enabled: sessionId !== undefined,
  })
  const isBooked = !session || session.status === 'confirmed' || session.status === 'completed'
  const facts = session && factsOf(session)
  return (
    <div className="mx-auto flex max-w-xl flex-col items-center gap-6">
      {isBooked && <Talking className="w-44" />}
      <div className="text-center">
        <h1 className="text-3xl">{isBooked ? 'Session is booked' : 'This session is not booked'}</h1>
        <p className="mt-2 text-lg text-soft">
          {isBooked
            ? 'It is paid for. You have done the hard part.'
            : session?.status === 'cancelled'
              ? 'It was cancelled.'
              : 'It is not paid for, so nothing was charged.'}
        </p>
      </div>
      {isLoading && (
        <Loading label="Loading your session" className="w-full">
          <Card className="flex flex-col gap-4">
            <Skeleton className="h-20 w-3/4" />
            <Skeleton className="h-6 w-1/2" />
            <Skeleton className="h-6 w-2/3" />
            <Skeleton className="h-6 w-2/5" />
          </Card>
        </Loading>
      )}
      {isBooked && session && facts && (
        <Card as="section" className="flex w-full flex-col gap-5">
          <BookingSummary
            facts={facts}
            where={facts.type === 'online' ? 'Online. The link to the room is on My Sessions.' : undefined}
          />
          <div className="border-t border-line pt-4">
            <PriceLines
              label="Paid"
              full={poundsToPence(session.full_fee)}
              discount={poundsToPence(session.discount)}
              due={poundsToPence(session.fee)}
            />
          </div>
          {session.change.until && (
            <Notice tone="info">
              You can move or cancel it free of charge{' '}
              {changeUntilWords(session.change.until, facts.startsAt, viewerZone())}, on My Sessions.
            </Notice>
          )}
        </Card>
      )}
      <div className="flex w-full flex-col justify-center gap-3 sm:w-auto sm:flex-row">
        <ButtonLink to="/">Homepage</ButtonLink>
        <ButtonLink to="/my-sessions" variant="secondary">
          My Sessions
        </ButtonLink>
      </div>
    </div>
  )
}
