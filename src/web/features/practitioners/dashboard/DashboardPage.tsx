import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { DashboardOverview } from '#contract/practitioners/dashboard.ts'
import { serverNow } from '#web/lib/clock.ts'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { overviewQuery, type When } from './dashboard-queries.ts'
import { EarningsChart } from './EarningsChart.tsx'
import { Figures } from './Figures.tsx'
import { FirstRun } from './FirstRun.tsx'
import { NextSession } from './NextSession.tsx'
import { OwnSessions } from './OwnSessions.tsx'
import { TaskList } from './TaskList.tsx'
import { QueryError } from '#web/ui/QueryError.tsx'

type Props = {
  /** Which sessions are listed, and which page of them. */
  when: When
  page: number
  hrefFor(to: { when: When; page?: number }): string
  /** Parts of other features, at the side: the subscription, being available now. */
  renderSide(overview: DashboardOverview): ReactNode
}

/** What a practitioner sees first: the next session, what needs doing, their sessions, and how it is going. */
export function DashboardPage({ when, page, hrefFor, renderSide }: Props) {
  const query = useQuery(overviewQuery())
  const { data, error } = query
  const now = useNow()
  if (!data) {
    return error ? <QueryError title="Your dashboard did not load" query={query} /> : <DashboardLoading />
  }
  const { profile, upcoming, earnings, owed, tasks } = data
  const [next] = upcoming.sessions
  const hasSessions = upcoming.total > 0 || earnings.some(({ sessions }) => sessions > 0)
  const isNew = profile.status !== 'approved' && !hasSessions
  return (
    <div className="grid gap-x-10 gap-y-10 lg:grid-cols-[minmax(0,1fr)_21rem]">
      <div className="flex min-w-0 flex-col gap-10">
        <div className="flex flex-col gap-4 empty:hidden">
          <FirstRun profile={profile} />
          {!isNew && (
            <NextSession session={next} timezone={profile.timezone} now={now} isListed={profile.listed} />
          )}
        </div>
        <TaskList tasks={tasks} />
        {!isNew && (
          <>
            <OwnSessions when={when} page={page} now={now} hrefFor={hrefFor} />
            <EarningsChart months={earnings} owed={owed} />
          </>
        )}
      </div>
      <div className="flex min-w-0 flex-col gap-6">
        {renderSide(data)}
        {!isNew && <Figures overview={data} />}
      </div>
    </div>
  )
}

/** The server's clock, moved on every half minute: 'in 3 minutes' has to stay true. */
function useNow(): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

export function DashboardLoading() {
  return (
    <Loading label="Loading your dashboard" className="grid gap-10 lg:grid-cols-[minmax(0,1fr)_21rem]">
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
