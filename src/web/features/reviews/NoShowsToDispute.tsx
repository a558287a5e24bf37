import { IconCalendarQuestion } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { serverNow } from '#web/lib/clock.ts'
import { sessionPath } from '#web/lib/session-paths.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { TaskLink } from '#web/ui/TaskLink.tsx'
import { pastSessionsQuery } from './review-queries.ts'

/** A client's sessions that are recorded as missed, for as long as the client can dispute it. */
export default function NoShowsToDispute() {
  const { data } = useQuery(pastSessionsQuery(1))
  const now = serverNow()
  return (data?.data ?? []).flatMap(({ appointment_id, practitioner, no_show }) =>
    no_show?.can_dispute && Date.parse(no_show.dispute_until) > now ? (
      <TaskLink
        key={appointment_id}
        to={sessionPath(appointment_id)}
        icon={<IconCalendarQuestion aria-hidden size={22} />}
        note={`You can dispute it until ${formatDayAndTime(no_show.dispute_until, viewerZone(), now)}`}
      >
        {practitioner.full_name} says that you did not come
      </TaskLink>
    ) : (
      []
    ),
  )
}
