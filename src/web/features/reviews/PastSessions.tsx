import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { PastSession } from '#contract/reviews.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Talking } from '#web/ui/illustrations/Scenes.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Pagination } from '#web/ui/Pagination.tsx'
import { Loading } from '#web/ui/Skeleton.tsx'
import { PastSessionCard, PastSessionLoading } from './PastSessionCard.tsx'
import { pastSessionsQuery, reviewsRoot } from './review-queries.ts'
import { lateDialog } from '#web/ui/Dialog.tsx'
import { SuccessRegion, type SuccessWords } from '#web/ui/LiveRegion.tsx'
import { QueryError } from '#web/ui/QueryError.tsx'

const DisputeDialog = lateDialog(() => import('./DisputeDialog.tsx'))
const ReviewDialog = lateDialog(() => import('./ReviewDialog.tsx'))
const WithdrawReview = lateDialog(() => import('./WithdrawReview.tsx'))

/** A client's sessions that are over, with what they say about them. */
export function PastSessions({ page, hrefFor }: { page: number; hrefFor(page: number): string }) {
  const client = useQueryClient()
  const query = useQuery(pastSessionsQuery(page))
  const { data, error } = query
  const [reviewed, setReviewed] = useState<PastSession>()
  const [withdrawn, setWithdrawn] = useState<PastSession>()
  const [disputed, setDisputed] = useState<PastSession>()
  const [success, setSuccess] = useState<SuccessWords>()

  return (
    <div className="flex max-w-3xl flex-col gap-5">
      <SuccessRegion success={success} />
      {data ? (
        <>
          <List
            sessions={data.data}
            onRefunded={() => client.invalidateQueries({ queryKey: reviewsRoot() })}
            onReview={(session) => {
              setSuccess(undefined)
              setReviewed(session)
            }}
            onWithdraw={(session) => {
              setSuccess(undefined)
              setWithdrawn(session)
            }}
            onDispute={(session) => {
              setSuccess(undefined)
              setDisputed(session)
            }}
          />
          <Pagination
            page={data.meta.page}
            pageCount={Math.ceil(data.meta.total / data.meta.per_page)}
            hrefFor={hrefFor}
          />
        </>
      ) : error ? (
        <QueryError title="Your past sessions did not load" query={query} />
      ) : (
        <PastSessionsLoading />
      )}
      {reviewed && (
        <ReviewDialog
          // Without an answer, a review may have been published all the same: what was typed then changes it.
          session={data?.data.find(({ appointment_id: id }) => id === reviewed.appointment_id) ?? reviewed}
          onClose={() => setReviewed(undefined)}
          onSaved={(review, isNew) =>
            setSuccess({
              title: isNew ? 'Thank you for your review' : 'Your review has been changed',
              text: `It is on the profile of ${reviewed.practitioner.full_name} now, signed ${review.reviewer}`,
            })
          }
        />
      )}
      {disputed && (
        <DisputeDialog
          session={disputed}
          onClose={() => setDisputed(undefined)}
          onSent={() =>
            setSuccess({
              title: 'We have your dispute',
              text: 'We will look into it and write to you as soon as we have decided. Until then we hold the money.',
            })
          }
        />
      )}
      {withdrawn && (
        <WithdrawReview
          session={withdrawn}
          onClose={() => setWithdrawn(undefined)}
          onWithdrawn={() =>
            setSuccess({ title: 'Your review is withdrawn', text: 'It is deleted, and no longer counts.' })
          }
        />
      )}
    </div>
  )
}

function List({
  sessions,
  onReview,
  onWithdraw,
  onDispute,
  onRefunded,
}: {
  sessions: readonly PastSession[]
  onReview(session: PastSession): void
  onWithdraw(session: PastSession): void
  onDispute(session: PastSession): void
  onRefunded(): Promise<unknown>
}) {
  if (sessions.length === 0) {
    return (
      <EmptyState
        title="You have had no sessions yet"
        illustration={<Talking className="w-40" />}
        actions={<ButtonLink to="/my-sessions">My Sessions</ButtonLink>}
      >
        <p>Once a session is over it appears here, and you can say what it was like.</p>
      </EmptyState>
    )
  }
  return (
    <ul className="flex flex-col gap-5">
      {sessions.map((session) => (
        <PastSessionCard
          key={session.appointment_id}
          session={session}
          onReview={() => onReview(session)}
          onWithdraw={() => onWithdraw(session)}
          onDispute={() => onDispute(session)}
          onRefunded={onRefunded}
        />
      ))}
    </ul>
  )
}

export function PastSessionsLoading() {
  return (
    <Loading label="Loading your past sessions" className="flex max-w-3xl flex-col gap-5">
      <PastSessionLoading />
      <PastSessionLoading />
    </Loading>
  )
}
