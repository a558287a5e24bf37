import { IconStar } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { formatDay, viewerZone } from '#web/lib/time.ts'
import { TaskLink } from '#web/ui/TaskLink.tsx'
import { pastSessionsQuery } from './review-queries.ts'

const maxShown = 2

/** The newest of a client's sessions that they can review. */
export default function ReviewsToWrite() {
  const { data } = useQuery(pastSessionsQuery(1))
  const reviewable = (data?.data ?? []).filter((session) => session.reviewable)
  return reviewable.slice(0, maxShown).map((session) => (
    <TaskLink
      key={session.appointment_id}
      to="/my-sessions/past"
      icon={<IconStar aria-hidden size={22} />}
      note={session.starts_at && formatDay(session.starts_at, viewerZone())}
    >
      Say how your session with {session.practitioner.full_name} was
    </TaskLink>
  ))
}
