import { useSearchParams } from 'react-router'
import { DashboardSubpage } from '#web/features/layout/DashboardSubpage.tsx'
import { ReceivedReviews, ReceivedReviewsLoading } from '#web/features/reviews/ReceivedReviews.tsx'
import { pageIn } from '#web/lib/search-params.ts'
import { pageTitle } from '#web/lib/site.ts'

const heading = {
  title: 'Your reviews',
  lead: 'What clients wrote after their sessions. Reviews never show a client’s full name.',
  isWide: true,
}

export const meta = () => [{ title: pageTitle(heading.title) }]

export const clientLoader = () => null

export function HydrateFallback() {
  return (
    <DashboardSubpage {...heading}>
      <ReceivedReviewsLoading />
    </DashboardSubpage>
  )
}

export default function TherapistReviews() {
  const [search] = useSearchParams()
  const page = pageIn(search)
  return (
    <DashboardSubpage {...heading}>
      <ReceivedReviews page={page} onlyUnreplied={search.get('unreplied') === 'true'} />
    </DashboardSubpage>
  )
}
