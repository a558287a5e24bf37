import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Talking } from '#web/ui/illustrations/Scenes.tsx'
import { ButtonLink, TextLink } from '#web/ui/Link.tsx'
import { LeaveWarning } from '#web/ui/LeaveWarning.tsx'
import { Pagination } from '#web/ui/Pagination.tsx'
import { PastLastPage } from '#web/ui/PastLastPage.tsx'
import { Rating } from '#web/ui/Rating.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { ReceivedReviewCard } from './ReceivedReviewCard.tsx'
import { receivedReviewsQuery } from './review-queries.ts'
import { QueryError } from '#web/ui/QueryError.tsx'

const path = '/therapist/reviews'

/** What clients wrote about a practitioner, to be answered or reported. */
export function ReceivedReviews({ page, onlyUnreplied }: { page: number; onlyUnreplied: boolean }) {
  const query = useQuery(receivedReviewsQuery(page, onlyUnreplied))
  const { data, error } = query
  /** The reviews with words in their form that are not saved. */
  const [unsaved, setUnsaved] = useState<ReadonlySet<number>>(new Set())
  const hrefFor = (to: number) => `${path}?page=${to}${onlyUnreplied ? '&unreplied=true' : ''}`
  if (error && !data) {
    return <QueryError title="Your reviews did not load" query={query} />
  }
  if (!data) return <ReceivedReviewsLoading />
  const { meta } = data
  if (meta.total === 0 && !onlyUnreplied) {
    return (
      <EmptyState
        title="No reviews yet"
        illustration={<Talking className="w-40" />}
        actions={<ButtonLink to="/therapist/dashboard">Dashboard</ButtonLink>}
      >
        <p>Clients can review a session once it has taken place. Their reviews appear here.</p>
      </EmptyState>
    )
  }
  return (
    <div className="flex max-w-3xl flex-col gap-5">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <Rating value={meta.rating} total={meta.shown} />
        {onlyUnreplied ? (
          <TextLink to={path} className="tappable">
            Show all reviews
          </TextLink>
        ) : (
          meta.unreplied > 0 && (
            <TextLink to={`${path}?unreplied=true`} className="tappable">
              Show the {meta.unreplied} without a reply
            </TextLink>
          )
        )}
      </div>
      {data.data.length === 0 && meta.total > 0 ? (
        <PastLastPage first={hrefFor(1)} />
      ) : data.data.length === 0 ? (
        <p className="text-soft">Every review has a reply.</p>
      ) : (
        <ul className="flex flex-col gap-5">
          {data.data.map((review) => (
            <ReceivedReviewCard key={review.review_id} review={review} onUnsaved={setUnsaved} />
          ))}
        </ul>
      )}
      <Pagination page={meta.page} pageCount={Math.ceil(meta.total / meta.per_page)} hrefFor={hrefFor} />
      <LeaveWarning isDirty={unsaved.size > 0} isWithin={isNoPage}>
        <p>Your reply has not been published.</p>
      </LeaveWarning>
    </div>
  )
}

const isNoPage = () => false

export function ReceivedReviewsLoading() {
  return (
    <Loading label="Loading your reviews" className="flex max-w-3xl flex-col gap-5">
      <Skeleton className="h-6 w-40" />
      <Skeleton className="h-44" />
      <Skeleton className="h-44" />
    </Loading>
  )
}
