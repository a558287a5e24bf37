import { IconCoinPound } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { serverNow } from '#web/lib/clock.ts'
import { sessionPath } from '#web/lib/session-paths.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { QueryErrorItem } from '#web/ui/QueryErrorItem.tsx'
import { TaskLink } from '#web/ui/TaskLink.tsx'
import { pastSessionsQuery } from './review-queries.ts'

/**
 * A client's sessions to which the practitioner did not come, for as long as the money can be had back. Says that past
 * sessions did not load, also for the other parts of the list that read them.
 */
export default function AbsencesToReport() {
  const query = useQuery(pastSessionsQuery(1))
  const now = serverNow()
  return (
    <>
      <QueryErrorItem query={query} title="Your past sessions did not load" />
      {query.data?.data.map(
        ({ appointment_id, practitioner, nobody_came }) =>
          nobody_came?.from &&
          Date.parse(nobody_came.until) > now && (
            <TaskLink
              key={appointment_id}
              to={sessionPath(appointment_id)}
              icon={<IconCoinPound aria-hidden size={22} />}
              note={`Until ${formatDayAndTime(nobody_came.until, viewerZone(), now)}`}
            >
              {practitioner.full_name} did not come: get your money back
            </TaskLink>
          ),
      )}
    </>
  )
}
