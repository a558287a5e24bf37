import { IconCreditCard } from '@tabler/icons-react'
import { bookTherapistPath } from '#web/lib/booking-path.ts'
import { formatDayAndTime, formatTime, viewerZone } from '#web/lib/time.ts'
import { QueryErrorItem } from '#web/ui/QueryErrorItem.tsx'
import { TaskLink } from '#web/ui/TaskLink.tsx'
import { useHeldTimes } from './use-held-times.ts'

/** The times that are held for the client and not paid for, each with the way to pay. */
export default function UnpaidTimes() {
  const { times, query } = useHeldTimes()
  const zone = viewerZone()
  return (
    <>
      <QueryErrorItem query={query} title="Times held for you did not load" />
      {times.map(({ session, request }) => (
        <TaskLink
          key={session.appointment_id}
          to={bookTherapistPath(request)}
          icon={<IconCreditCard aria-hidden size={22} />}
          note={`${formatDayAndTime(session.starts_at, zone)}, held for you until ${formatTime(session.hold_expires_at, zone)}`}
        >
          Pay for your session with {session.practitioner.full_name}
        </TaskLink>
      ))}
    </>
  )
}
