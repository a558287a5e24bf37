import { useSearchParams } from 'react-router'
import { PastSessions, PastSessionsLoading } from '#web/features/reviews/PastSessions.tsx'
import { pageIn } from '#web/lib/search-params.ts'
import { pageTitle } from '#web/lib/site.ts'
import { Breadcrumbs } from '#web/ui/Breadcrumbs.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'

export const meta = () => [{ title: pageTitle('Past sessions') }]

export const clientLoader = () => null

export function HydrateFallback() {
  return (
    <div className="page">
      <Heading />
      <PastSessionsLoading />
    </div>
  )
}

export default function PastSessionsPage() {
  const [search] = useSearchParams()
  const page = pageIn(search)
  return (
    <div className="page">
      <Heading />
      <PastSessions
        page={page}
        hrefFor={(to) => (to === 1 ? '/my-sessions/past' : `/my-sessions/past?page=${to}`)}
      />
    </div>
  )
}

function Heading() {
  return (
    <PageHeading
      above={
        <Breadcrumbs items={[{ label: 'My Sessions', to: '/my-sessions' }, { label: 'Past sessions' }]} />
      }
      title="Past sessions"
    />
  )
}
