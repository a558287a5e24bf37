import { useQuery } from '@tanstack/react-query'
import { formatPounds } from '#web/lib/money.ts'
import { sessionPath } from '#web/lib/session-paths.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { LiveRegion } from '#web/ui/LiveRegion.tsx'
import { upcomingQuery } from './booking-queries.ts'

/** Confirms the session whose payment led to the page, as long as it is among the sessions ahead. */
export function BookedJustNow({ id }: { id: string | undefined }) {
  const { data } = useQuery(upcomingQuery())
  const booked = data?.find((session) => session.appointment_id === id)
  return (
    <LiveRegion className="mb-6 max-w-3xl">
      {booked && (
        <Alert
          tone="success"
          title="Your session is booked"
          actions={
            <ButtonLink to={sessionPath(booked.appointment_id)} size="small" variant="secondary">
              See the session
            </ButtonLink>
          }
        >
          {booked.practitioner.full_name}
          {booked.starts_at && `, ${formatDayAndTime(booked.starts_at, viewerZone())}`}. You paid{' '}
          {formatPounds(booked.fee)}.
        </Alert>
      )}
    </LiveRegion>
  )
}
