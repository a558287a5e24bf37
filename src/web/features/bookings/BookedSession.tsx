import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import type { AppointmentDetail } from '#contract/bookings/bookings.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { cancelledLabel } from '#web/lib/cancelled-label.ts'
import { returnedMoneyLabel } from '#web/lib/returned-money.ts'
import { sessionPath } from '#web/lib/session-paths.ts'
import { viewerZone } from '#web/lib/time.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { CalendarFile } from '#web/ui/CalendarFile.tsx'
import { Card } from '#web/ui/Card.tsx'
import { Talking } from '#web/ui/illustrations/Scenes.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { appointmentQuery } from './booking-queries.ts'
import { changeUntilLabel, frozenLabel, sessionWords } from './booking-labels.ts'
import { BookingSummary, factsOf } from './BookingSummary.tsx'
import { PriceLines } from './PriceLines.tsx'
import { OnlineRoom } from './SessionAccess.tsx'
import { useReservedLabel } from './use-reserved-label.ts'
import { QueryError } from '#web/ui/QueryError.tsx'

/**
 * The confirmation of a booking, with its details where they are known. It never says so of what is not booked; `after`
 * comes below what is.
 */
export function BookedSession({ sessionId, after }: { sessionId: string | undefined; after?: ReactNode }) {
  const query = useQuery({
    ...appointmentQuery(sessionId ?? ''),
    enabled: sessionId !== undefined,
  })
  const { data, error } = query
  if (sessionId === undefined) {
    return <Confirmation title="Everything you have booked" lead="Your sessions are in My Sessions." />
  }
  if (data) return <Known session={data} after={after} />
  if (!error) return <BookedLoading />
  if (error instanceof ApiError && error.status === 404) {
    return (
      <Confirmation
        title="We cannot find this session"
        lead="The address may be mistyped, or it belongs to another account. Everything you have booked is in My Sessions."
      />
    )
  }
  return <QueryError level={1} title="Your session did not load" query={query} />
}

function Reserved({ session }: { session: AppointmentDetail }) {
  const { words } = useReservedLabel(session)
  return <Confirmation title="This session is reserved for you" lead={words} />
}

function Known({ session, after }: { session: AppointmentDetail; after: ReactNode }) {
  const facts = factsOf(session)
  if (session.status === 'cancelled') {
    return <Confirmation title="This session is cancelled" lead={cancelledLead(session)} />
  }
  if (session.frozen_until) {
    return (
      <Confirmation
        title="This session is being checked"
        lead={frozenLabel({ ...session, frozen_until: session.frozen_until }, viewerZone())}
      />
    )
  }
  if (session.status === 'reserved') {
    return <Reserved session={session} />
  }
  if (session.status === 'no_show') return <Navigate to={sessionPath(session.appointment_id)} replace />
  if (session.status !== 'confirmed' && session.status !== 'completed') {
    return <Confirmation title="This session is not booked" lead="It is not paid for. Nothing was charged." />
  }
  return (
    <Confirmation lead="It is paid for. You have done the hard part." isGood>
      {facts && (
        <Card as="section" className="flex w-full flex-col gap-5">
          <BookingSummary
            facts={facts}
            where={facts.type === 'online' ? <OnlineRoom session={session} /> : undefined}
          />
          <div className="border-t border-line pt-4">
            <PriceLines label="Paid" price={session} />
          </div>
          {session.status === 'confirmed' && (
            <div className="flex flex-wrap gap-3">
              <ButtonLink to={sessionPath(session.appointment_id)} variant="secondary">
                See this session
              </ButtonLink>
              <CalendarFile appointmentId={session.appointment_id} session={sessionWords(session)} />
            </div>
          )}
          {session.change.until && (
            <p className="rounded-lg bg-action-soft p-4 text-sm text-on-action-soft">
              In My Sessions you can move or cancel it free of charge{' '}
              <strong>{changeUntilLabel(session.change.until, facts.startsAt, viewerZone())}</strong>.
            </p>
          )}
        </Card>
      )}
      {after}
    </Confirmation>
  )
}

/** Why it was cancelled, where the money is, and the way on. */
function cancelledLead(session: AppointmentDetail): string {
  const { cancelled_by, cancelled_because } = session
  const next =
    cancelled_by === 'system' && !cancelled_because
      ? 'My Sessions shows others who are free that week.'
      : 'You can book another at any time.'
  return [cancelledLabel(session), returnedMoneyLabel(session), next].filter(Boolean).join(' ')
}

function Confirmation({
  title = 'Session is booked',
  lead,
  isGood,
  children,
}: {
  title?: string
  lead: string
  isGood?: boolean
  children?: ReactNode
}) {
  useTitle(title)
  return (
    <div className="mx-auto flex max-w-xl flex-col items-center gap-6">
      {isGood && <Talking className="w-44 print:hidden" />}
      <div className="text-center">
        <h1 className="text-3xl">{title}</h1>
        <p className="mt-2 text-lg text-soft">{lead}</p>
      </div>
      {children}
      <div className="flex w-full flex-col justify-center gap-3 sm:w-auto sm:flex-row">
        <ButtonLink to="/">Homepage</ButtonLink>
        <ButtonLink to="/my-sessions" variant="secondary">
          My Sessions
        </ButtonLink>
      </div>
    </div>
  )
}

export function BookedLoading() {
  return (
    <div className="mx-auto flex max-w-xl flex-col items-center gap-6">
      <h1 className="text-3xl">Your session</h1>
      <Loading label="Loading your session" className="w-full">
        <Card className="flex flex-col gap-4">
          <Skeleton className="h-20 w-3/4" />
          <Skeleton className="h-6 w-1/2" />
          <Skeleton className="h-6 w-2/3" />
          <Skeleton className="h-6 w-2/5" />
        </Card>
      </Loading>
    </div>
  )
}
