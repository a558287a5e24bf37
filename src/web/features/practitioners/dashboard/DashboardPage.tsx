import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { DashboardOverview } from '#contract/practitioners/dashboard.ts'
import { hasEnded, practitionerInstants } from '#web/lib/session-instants.ts'
import { useReadAt, useReadOnNews } from '#web/lib/use-read-again.ts'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { dashboardNews, overviewKeys, overviewQuery } from './dashboard-queries.ts'
import { EarningsChart } from './EarningsChart.tsx'
import { Figures } from './Figures.tsx'
import { FirstRun } from './FirstRun.tsx'
import { NextSession } from './NextSession.tsx'
import { OwnSessions } from './OwnSessions.tsx'
import { ownSessionsPath } from './session-labels.ts'
import { TaskList } from './TaskList.tsx'
import { useServerNow } from './use-server-now.ts'
import { QueryError } from '#web/ui/QueryError.tsx'

type Props = {
  /** Being available now: the first thing on a phone, at the top of the side on a wide screen. */
  renderFirst(overview: DashboardOverview): ReactNode
  /** Other parts of other features, at the side. */
  renderSide(overview: DashboardOverview): ReactNode
}

/** Sessions ahead that are listed on the dashboard itself. */
const listed = 5

/** What a practitioner sees first: the next session, what needs doing, their sessions, and how it is going. */
export function DashboardPage({ renderFirst, renderSide }: Props) {
  const query = useQuery(overviewQuery())
  const { data, error } = query
  const now = useServerNow()
  useReadOnNews(dashboardNews, overviewKeys)
  useReadAt(data?.upcoming.sessions.flatMap(practitionerInstants) ?? [], overviewKeys)
  if (!data) {
    return error ? <QueryError title="Your dashboard did not load" query={query} /> : <DashboardLoading />
  }
  const { profile, upcoming, earnings, owed, tasks } = data
  const next = upcoming.sessions.find((session) => !hasEnded(session, now))
  const hasSessions = upcoming.total > 0 || earnings.some(({ sessions }) => sessions > 0)
  const isNew = profile.status !== 'approved' && !hasSessions
  return (
    <div className="grid grid-cols-1 gap-x-10 gap-y-10 lg:grid-cols-[minmax(0,1fr)_21rem] lg:grid-rows-[auto_1fr] lg:gap-y-6">
      <div className="min-w-0 empty:hidden lg:col-start-2">{renderFirst(data)}</div>
      <div className="flex min-w-0 flex-col gap-10 lg:col-start-1 lg:row-span-2 lg:row-start-1">
        <div className="flex flex-col gap-4 empty:hidden">
          <FirstRun profile={profile} />
          {!isNew && (
            <NextSession session={next} timezone={profile.timezone} now={now} isListed={profile.listed} />
          )}
        </div>
        <TaskList tasks={tasks} />
        {!isNew && (
          <>
            <OwnSessions when="upcoming" page={1} now={now} limit={listed} hrefFor={ownSessionsPath} />
            <EarningsChart months={earnings} owed={owed} />
          </>
        )}
      </div>
      <div className="flex min-w-0 flex-col gap-6 lg:col-start-2">
        {renderSide(data)}
        <Figures overview={data} isNew={isNew} />
      </div>
    </div>
  )
}

export function DashboardLoading() {
  return (
    <Loading
      label="Loading your dashboard"
      className="grid grid-cols-1 gap-10 lg:grid-cols-[minmax(0,1fr)_21rem]"
    >
      <span className="flex flex-col gap-6">
        <Skeleton className="h-36" />
        <Skeleton className="h-24" />
        <Skeleton className="h-64" />
      </span>
      <span className="flex flex-col gap-6">
        <Skeleton className="h-32" />
        <Skeleton className="h-48" />
      </span>
    </Loading>
  )
}
