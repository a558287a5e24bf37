import { useQuery } from '@tanstack/react-query'
import { CalendarLink } from '#web/ui/CalendarLink.tsx'
import { Loading } from '#web/ui/Skeleton.tsx'
import { calendarLinkQuery } from './own-profile.ts'
import { QueryError } from '#web/ui/QueryError.tsx'

/** A client's sessions in any calendar, by a secret link. */
export function OwnCalendarLink() {
  const query = useQuery(calendarLinkQuery())
  const { data, error } = query
  if (!data) {
    return error ? (
      <QueryError title="Your calendar link did not load" query={query} />
    ) : (
      <CalendarLinkLoading />
    )
  }
  return (
    <div className="rounded-xl border border-line bg-surface p-5 shadow-low sm:p-6">
      <CalendarLink
        feed={data}
        lead="Your app checks for changes by itself, sometimes only every few hours. An entry says when, where and with whom; anyone who can see your calendar can see it."
        warning="anyone who has it can see when your sessions are and with whom."
        connectLabel="Make a link"
        accountRole="client"
        queryKey={calendarLinkQuery().queryKey}
      />
    </div>
  )
}

export function CalendarLinkLoading() {
  return <Loading label="Loading your calendar link" skeleton="h-40 rounded-xl" />
}
