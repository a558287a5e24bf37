import { useSearchParams } from 'react-router'
import { DashboardSubpage } from '#web/features/layout/DashboardSubpage.tsx'
import { OwnSessions, OwnSessionsLoading } from '#web/features/practitioners/dashboard/OwnSessions.tsx'
import { ownSessionsPath } from '#web/features/practitioners/dashboard/session-labels.ts'
import { useServerNow } from '#web/features/practitioners/dashboard/use-server-now.ts'
import { pageIn } from '#web/lib/search-params.ts'
import { pageTitle } from '#web/lib/site.ts'

const heading = { title: 'Your sessions', lead: 'Your upcoming and past sessions.' }

export const meta = () => [{ title: pageTitle(heading.title) }]

export const clientLoader = () => null

export function HydrateFallback() {
  return (
    <DashboardSubpage {...heading}>
      <OwnSessionsLoading />
    </DashboardSubpage>
  )
}

export default function TherapistSessions() {
  const [search] = useSearchParams()
  const page = pageIn(search)
  return (
    <DashboardSubpage {...heading}>
      <OwnSessions
        when={search.get('when') === 'past' ? 'past' : 'upcoming'}
        page={page}
        now={useServerNow()}
        hrefFor={ownSessionsPath}
      />
    </DashboardSubpage>
  )
}
