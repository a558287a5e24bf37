import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#web/lib/api-error.ts'
import { Button } from '#web/ui/Button.tsx'
import { CalendarLink } from '#web/ui/CalendarLink.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { calendarFeedQuery } from './schedule-queries.ts'

/** The practitioner's sessions in any calendar, by a secret link. */
export function CalendarApp() {
  const { data, error, isFetching, refetch } = useQuery(calendarFeedQuery())

  if (!data) {
    return error ? (
      <Alert
        tone="danger"
        title="This did not load"
        actions={
          <Button variant="secondary" size="small" isPending={isFetching} onPress={() => void refetch()}>
            Try again
          </Button>
        }
      >
        {messageOf(error)}
      </Alert>
    ) : (
      <Loading label="Loading your calendar app">
        <Skeleton className="h-24" />
      </Loading>
    )
  }
  return (
    <CalendarLink
      feed={data}
      lead="See your booked sessions in Apple Calendar, Outlook or any other. Your app asks for changes by itself, some only every few hours."
      warning="whoever has it can see the times of your sessions and your clients’ first names."
      connectLabel="Connect calendar app"
      accountRole="therapist"
      queryKey={calendarFeedQuery().queryKey}
    />
  )
}
