import { IconCreditCard } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDayAndTime, formatTime, viewerZone } from '#web/lib/time.ts'
import { TaskLink } from '#web/ui/TaskLink.tsx'
import { bookTherapistPath } from '#web/lib/booking-path.ts'
import { appointmentQuery } from './booking-queries.ts'
import { type KeptHold, readHolds } from './kept-holds.ts'
import { isHeld } from './use-booking.ts'

/** The times that this tab holds and that are not paid for, each with the way to pay. */
export default function UnpaidTimes() {
  const [holds] = useState(() => readHolds())
  return holds.map((hold) => <UnpaidTime key={hold.sessionId} hold={hold} />)
}

function UnpaidTime({ hold }: { hold: KeptHold }) {
  const { data } = useQuery(appointmentQuery(hold.sessionId))
  if (!data?.starts_at || !data.hold_expires_at || !isHeld(data)) return null
  const zone = viewerZone()
  return (
    <TaskLink
      to={bookTherapistPath(hold.request)}
      icon={<IconCreditCard aria-hidden size={22} />}
      note={`${formatDayAndTime(data.starts_at, zone)}, held for you until ${formatTime(data.hold_expires_at, zone)}`}
    >
      Pay for your session with {data.practitioner.full_name}
    </TaskLink>
  )
}
