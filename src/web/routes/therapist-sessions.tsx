import { useSearchParams } from 'react-router'
import { OwnSessions, OwnSessionsLoading } from '#web/features/practitioners/dashboard/OwnSessions.tsx'
import { ownSessionsPath } from '#web/features/practitioners/dashboard/session-labels.ts'
import { useServerNow } from '#web/features/practitioners/dashboard/use-server-now.ts'
import { pageTitle } from '#web/lib/site.ts'
import { Breadcrumbs } from '#web/ui/Breadcrumbs.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'

export const meta = () => [{ title: pageTitle('Your sessions') }]

export const clientLoader = () => null

export function HydrateFallback() {
  return (
    <div className="page max-w-3xl">
      <Heading />
      <OwnSessionsLoading />
    </div>
  )
}

export default function TherapistSessions() {
  const [search] = useSearchParams()
  const page = Math.max(1, Math.trunc(Number(search.get('page'))) || 1)
  return (
    <div className="page max-w-3xl pb-16">
      <Heading />
      <OwnSessions
        when={search.get('when') === 'past' ? 'past' : 'upcoming'}
        page={page}
        now={useServerNow()}
        hrefFor={ownSessionsPath}
      />
    </div>
  )
}

function Heading() {
  return (
    <PageHeading
      above={
        <Breadcrumbs
          items={[{ label: 'Dashboard', to: '/therapist/dashboard' }, { label: 'Your sessions' }]}
        />
      }
      title="Your sessions"
      lead="Your upcoming and past sessions."
    />
  )
}
