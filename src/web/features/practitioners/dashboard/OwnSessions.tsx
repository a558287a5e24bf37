import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { TherapistSession } from '#contract/bookings/practitioner-sessions.ts'
import { practitionerInstants } from '#web/lib/session-instants.ts'
import { useReadAt, useReadOnNews } from '#web/lib/use-read-again.ts'
import { TextLink } from '#web/ui/Link.tsx'
import { PastLastPage } from '#web/ui/PastLastPage.tsx'
import { Pagination } from '#web/ui/Pagination.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { dashboardNews, ownSessionsKeys, ownSessionsQuery, type When } from './dashboard-queries.ts'
import { OwnSession } from './OwnSession.tsx'
import type { AskedAct } from './SessionActDialog.tsx'
import { lateDialog } from '#web/ui/Dialog.tsx'
import { SuccessRegion, type SuccessWords } from '#web/ui/LiveRegion.tsx'
import { QueryError } from '#web/ui/QueryError.tsx'

const SessionActDialog = lateDialog(() => import('./SessionActDialog.tsx'))

type Props = {
  when: When
  page: number
  now: number
  /** At most so many are listed, with a link to all. */
  limit?: number
  hrefFor(to: { when: When; page?: number }): string
}

/** A practitioner's own sessions, with cancelling them and saying what became of them. */
export function OwnSessions({ when, page, now, limit, hrefFor }: Props) {
  const query = useQuery(ownSessionsQuery(when, page))
  const { data, error } = query
  useReadOnNews(dashboardNews, ownSessionsKeys)
  useReadAt(data?.data.flatMap(practitionerInstants) ?? [], ownSessionsKeys)
  const [asked, setAsked] = useState<AskedAct>()
  const [success, setSuccess] = useState<SuccessWords>()

  return (
    <section id="sessions" aria-labelledby="sessions-title" className="flex scroll-mt-6 flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6">
        <h2 id="sessions-title" className="text-2xl">
          {when === 'upcoming' ? 'Upcoming sessions' : 'Past sessions'}
        </h2>
        <TextLink
          to={hrefFor({ when: when === 'upcoming' ? 'past' : 'upcoming' })}
          preventScrollReset
          className="tappable"
        >
          {when === 'upcoming' ? 'See past sessions' : 'See upcoming sessions'}
        </TextLink>
      </div>
      <SuccessRegion success={success} />
      {data && data.data.length === 0 && data.meta.total > 0 ? (
        <PastLastPage first={hrefFor({ when })} />
      ) : data ? (
        <List
          sessions={data.data.slice(0, limit)}
          when={when}
          now={now}
          timezone={data.meta.timezone}
          onAsk={(act, session) => {
            setSuccess(undefined)
            setAsked({ act, session })
          }}
        />
      ) : error ? (
        <QueryError level={3} title="Your sessions did not load" query={query} />
      ) : (
        <OwnSessionsLoading />
      )}
      {data && limit !== undefined && data.meta.total > limit && (
        <p>
          <TextLink to={hrefFor({ when })} className="tappable">
            {`See all ${data.meta.total} ${when} sessions`}
          </TextLink>
        </p>
      )}
      {data && data.data.length > 0 && limit === undefined && (
        <Pagination
          page={data.meta.page}
          pageCount={Math.ceil(data.meta.total / data.meta.per_page)}
          hrefFor={(to) => hrefFor({ when, page: to })}
        />
      )}
      {asked && <SessionActDialog asked={asked} onClose={() => setAsked(undefined)} onDone={setSuccess} />}
    </section>
  )
}

function List({
  sessions,
  when,
  now,
  timezone,
  onAsk,
}: {
  sessions: readonly TherapistSession[]
  when: When
  now: number
  timezone: string
  onAsk(act: AskedAct['act'], session: TherapistSession): void
}) {
  if (sessions.length === 0) {
    return (
      <p className="rounded-xl border border-dashed border-edge px-5 py-8 text-center text-soft">
        {when === 'upcoming'
          ? 'No sessions booked yet. New bookings appear here, soonest first.'
          : 'No past sessions yet. They appear here, newest first.'}
      </p>
    )
  }
  return (
    <ul className="flex flex-col divide-y divide-line rounded-xl border border-line bg-surface shadow-low">
      {sessions.map((session) => (
        <OwnSession
          key={session.appointment_id}
          session={session}
          now={now}
          timezone={timezone}
          onAsk={(act) => onAsk(act, session)}
        />
      ))}
    </ul>
  )
}

export function OwnSessionsLoading() {
  return (
    <Loading label="Loading your sessions" className="flex flex-col gap-3">
      <Skeleton className="h-24" />
      <Skeleton className="h-24" />
      <Skeleton className="h-24" />
    </Loading>
  )
}
