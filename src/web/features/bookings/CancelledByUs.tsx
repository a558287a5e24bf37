import { useQuery } from '@tanstack/react-query'
import type { AppointmentDetail } from '#contract/bookings/bookings.ts'
import { serverNow } from '#web/lib/clock.ts'
import { formatPounds } from '#web/lib/money.ts'
import { profilePath } from '#web/lib/profile-path.ts'
import { foundTherapistsPath } from '#web/lib/site.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { TextLink } from '#web/ui/Link.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { QueryErrorAlert } from '#web/ui/QueryErrorAlert.tsx'
import { useFailed } from '#web/ui/use-failed.ts'
import { isUnpaidDate, systemCancelLabels } from './system-cancel-labels.ts'
import { alternativesQuery, recentQuery } from './booking-queries.ts'

/** Sessions still to come that the back office had to cancel, each with others who are free that week. */
export function CancelledByUs() {
  const query = useQuery(recentQuery())
  const failed = useFailed(query)
  const now = serverNow()
  const cancelled = (query.data?.data ?? []).filter(
    (session) =>
      session.cancelled_by === 'system' &&
      session.starts_at !== null &&
      Date.parse(session.starts_at) > now &&
      // The card of an ended series speaks for its dates that were not paid, all but the nearest.
      (!isUnpaidDate(session) || Date.parse(session.starts_at) - soon < now),
  )
  if (failed) {
    return (
      <QueryErrorAlert
        query={failed}
        tone="warning"
        title="Cancelled sessions did not load"
        live="polite"
        className="max-w-3xl"
      />
    )
  }
  if (cancelled.length === 0) return null
  return (
    <ul className="flex max-w-3xl flex-col gap-4">
      {cancelled.map((session) => (
        <li key={session.appointment_id}>
          <Cancelled session={session} />
        </li>
      ))}
    </ul>
  )
}

/** Days before its start in which an unpaid session is given up, in milliseconds. */
const soon = 2 * 86_400_000

function Cancelled({ session }: { session: AppointmentDetail }) {
  const { practitioner, starts_at } = session
  const { title, text } = systemCancelLabels(session)
  const { data } = useQuery(alternativesQuery(session.appointment_id))
  const others = data?.data ?? []
  return (
    <Alert
      tone="warning"
      title={`${title} with ${practitioner.full_name}${starts_at ? `, ${formatDayAndTime(starts_at, viewerZone())}` : ''}`}
    >
      <p>{text}</p>
      {others.length > 0 ? (
        <>
          <p className="mt-2">These people help with the same things and are free that week:</p>
          <ul className="flex flex-col">
            {others.map((other) => (
              <li key={other.id}>
                <TextLink to={profilePath(other.id)} className="inline-flex min-h-11 items-end">
                  {other.full_name}
                </TextLink>
                <span className="block text-soft">
                  {other.provider_types.join(', ')}, from {formatPounds(other.min_fee)}
                </span>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p>
          <TextLink to={foundTherapistsPath} className="inline-flex min-h-11 items-center">
            Find someone else
          </TextLink>
        </p>
      )}
    </Alert>
  )
}
