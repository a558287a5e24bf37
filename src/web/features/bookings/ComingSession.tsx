import { useQuery } from '@tanstack/react-query'
import type { AppointmentDetail } from '#contract/bookings/bookings.ts'
import { serverNow } from '#web/lib/clock.ts'
import { clientInstants, hasEnded } from '#web/lib/session-instants.ts'
import { sessionPath } from '#web/lib/session-paths.ts'
import { foundTherapistsPath } from '#web/lib/site.ts'
import { useReadAt, useReadOnNews } from '#web/lib/use-read-again.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { QueryError } from '#web/ui/QueryError.tsx'
import { Loading } from '#web/ui/Skeleton.tsx'
import { Section } from '#web/ui/Section.tsx'
import { listedKeys, listedNews, upcomingQuery } from './booking-queries.ts'
import { BookingSummary, factsOf } from './BookingSummary.tsx'
import { NotPaidYet } from './NotPaidYet.tsx'
import { OnlineRoom } from './SessionAccess.tsx'
import { SessionCardLoading } from './SessionCard.tsx'

/** A client's session that comes next, on the home page. */
export default function ComingSession() {
  const query = useQuery(upcomingQuery())
  useReadOnNews(listedNews, listedKeys)
  useReadAt(query.data?.flatMap(clientInstants) ?? [], listedKeys)
  if (query.data) return <Coming sessions={query.data} />
  if (query.error) return <QueryError title="Your next session did not load" query={query} />
  return (
    <Loading label="Loading your next session">
      <SessionCardLoading />
    </Loading>
  )
}

function Coming({ sessions }: { sessions: readonly AppointmentDetail[] }) {
  const [next, ...others] = sessions.filter((session) => !hasEnded(session, serverNow()))
  const facts = next && factsOf(next)
  return (
    <Section title="Your next session" size="2xl" isCard className="flex flex-col gap-4">
      {next && facts ? (
        <>
          {next.frozen_until && (
            <Alert tone="warning" title="This session is being checked">
              My Sessions says by when you hear from us.
            </Alert>
          )}
          {next.status === 'reserved' && !next.frozen_until && <NotPaidYet session={next} />}
          <BookingSummary
            facts={facts}
            level={3}
            where={facts.type === 'online' ? <OnlineRoom session={next} /> : undefined}
          />
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <ButtonLink to={sessionPath(next.appointment_id)} variant="secondary">
              See this session
            </ButtonLink>
            <ButtonLink to="/my-sessions" variant="secondary">
              My Sessions
            </ButtonLink>
            {others.length > 0 && (
              <p className="text-sm text-soft">
                {others.length === 1 ? 'One more is booked.' : `${others.length} more are booked.`}
              </p>
            )}
          </div>
        </>
      ) : (
        <>
          <p className="text-soft">You have no session booked at the moment.</p>
          <div>
            <ButtonLink to={foundTherapistsPath}>Find a Therapist</ButtonLink>
          </div>
        </>
      )}
    </Section>
  )
}
