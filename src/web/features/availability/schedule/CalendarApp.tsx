import { useQuery } from '@tanstack/react-query'
import { CalendarLink } from '#web/ui/CalendarLink.tsx'
import { Loading } from '#web/ui/Skeleton.tsx'
import { calendarFeedQuery } from './schedule-queries.ts'
import { QueryErrorAlert } from '#web/ui/QueryErrorAlert.tsx'

/** The practitioner's sessions in any calendar, by a secret link. */
export function CalendarApp() {
  const query = useQuery(calendarFeedQuery())
  const { data, error } = query

  if (!data) {
    return error ? (
      <QueryErrorAlert title="This did not load" query={query} />
    ) : (
      <Loading label="Loading your calendar app" skeleton="h-24" />
    )
  }
  return (
    <CalendarLink
      feed={data}
      lead="See your booked sessions in Apple Calendar, Outlook or any other. Your app checks for changes by itself, sometimes only every few hours."
      warning="anyone who has it can see the times of your sessions and your clients’ first names."
      connectLabel="Connect calendar app"
      accountRole="therapist"
      queryKey={calendarFeedQuery().queryKey}
    />
  )
}
