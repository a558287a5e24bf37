import { useQuery } from '@tanstack/react-query'
import { foundTherapistsPath } from '#web/lib/site.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ChoosingTime } from '#web/ui/illustrations/Scenes.tsx'
import { ButtonLink, TextLink } from '#web/ui/Link.tsx'
import { QueryError } from '#web/ui/QueryError.tsx'
import { QueryErrorAlert } from '#web/ui/QueryErrorAlert.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { ownWaitlistPath } from '#web/lib/waitlist-path.ts'
import { useFailed } from '#web/ui/use-failed.ts'
import { EntryList } from './EntryList.tsx'
import { ownWaitlistQuery } from './waitlist-queries.ts'

/** All of a client's places on waitlists. */
export function OwnWaitlist() {
  const query = useQuery(ownWaitlistQuery())
  const { data, error } = query
  if (!data) {
    return error ? <QueryError title="Your waitlists did not load" query={query} /> : <OwnWaitlistLoading />
  }
  return (
    <>
      {data.length === 0 && (
        <EmptyState
          title="You are not on a waitlist"
          illustration={<ChoosingTime className="w-40" />}
          actions={<ButtonLink to={foundTherapistsPath}>Find a Therapist</ButtonLink>}
        >
          <p>When someone is full, or no time suits you, you can join the waitlist on their profile.</p>
        </EmptyState>
      )}
      {/* There when the last one is left too: it tells so. */}
      <EntryList entries={data} />
    </>
  )
}

/** The same among other things; nothing at all without a place. */
export function WaitlistPart() {
  const query = useQuery(ownWaitlistQuery())
  const failed = useFailed(query)
  if (failed) return <QueryErrorAlert title="Your waitlists did not load" query={failed} />
  if (!query.data?.length) return null
  return (
    <section aria-labelledby="waitlists-title" className="flex max-w-3xl flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6">
        <h2 id="waitlists-title" className="text-2xl">
          Your waitlists
        </h2>
        <TextLink to={ownWaitlistPath} className="inline-flex min-h-11 items-center">
          How the waitlist works
        </TextLink>
      </div>
      <EntryList entries={query.data} level={3} />
    </section>
  )
}

export function OwnWaitlistLoading() {
  return (
    <Loading label="Loading your waitlists" className="flex flex-col gap-4">
      <Skeleton className="h-56 rounded-xl" />
      <Skeleton className="h-56 rounded-xl" />
    </Loading>
  )
}
