import { useSearchParams } from 'react-router'
import { ReceivedReviews, ReceivedReviewsLoading } from '#web/features/reviews/ReceivedReviews.tsx'
import { pageTitle } from '#web/lib/site.ts'
import { Breadcrumbs } from '#web/ui/Breadcrumbs.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'

export const meta = () => [{ title: pageTitle('Your reviews') }]

export const clientLoader = () => null

export function HydrateFallback() {
  return (
    <div className="page">
      <Heading />
      <ReceivedReviewsLoading />
    </div>
  )
}

export default function TherapistReviews() {
  const [search] = useSearchParams()
  const page = Math.max(1, Math.trunc(Number(search.get('page'))) || 1)
  return (
    <div className="page">
      <Heading />
      <ReceivedReviews page={page} onlyUnreplied={search.get('unreplied') === 'true'} />
    </div>
  )
}

function Heading() {
  return (
    <PageHeading
      above={
        <Breadcrumbs
          items={[{ label: 'Dashboard', to: '/therapist/dashboard' }, { label: 'Your reviews' }]}
        />
      }
      title="Your reviews"
      lead="What clients wrote after their sessions. Reviews never show a client’s full name."
    />
  )
}
