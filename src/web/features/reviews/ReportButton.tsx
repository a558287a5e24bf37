import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { AnswerOf } from '#contract/endpoints.ts'
import { useSession } from '#web/lib/session.ts'
import { showToast } from '#web/ui/Toast.tsx'
import { pastSessionsRoot } from './review-queries.ts'
import type { Reported } from './ReportDialog.tsx'

const ReportDialog = lazy(() => import('./ReportDialog.tsx'))

type Props = Reported & {
  /** The author, for screen readers, to which the button's place says nothing: "of M.". */
  whose: string
  /** On a profile: the practitioner, who wrote the replies. */
  practitionerId?: number
  onReported?(): void
}

/** Opens the report of a review or of a reply. For signed-in clients and practitioners, not for what they wrote. */
export function ReportButton({ reviewId, about, whose, practitionerId, onReported }: Props) {
  const session = useSession()
  const isOwnReview = useIsOwnReview(reviewId)
  const [isOpen, setOpen] = useState(false)
  const [isSent, setSent] = useState(false)
  if (session.role !== 'client' && session.role !== 'therapist') return null
  if (about === 'review' && isOwnReview) return null
  if (about === 'reply' && session.role === 'therapist' && session.therapist.id === practitionerId)
    return null
  if (isSent) return <span className="text-sm text-soft">Reported</span>
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        className="-mx-2 inline-flex min-h-11 items-center rounded-full px-2 text-sm text-soft underline underline-offset-4 hover:text-ink print:hidden"
      >
        Report{' '}
        <span className="sr-only">
          the {about} {whose}
        </span>
      </button>
      {isOpen && (
        <Suspense>
          <ReportDialog
            reviewId={reviewId}
            about={about}
            onClose={() => setOpen(false)}
            onReported={() => {
              setOpen(false)
              setSent(true)
              showToast('Thank you. Someone on our team will look at it.')
              onReported?.()
            }}
          />
        </Suspense>
      )}
    </>
  )
}

/** Whether the client wrote it, as far as this tab has read their past sessions. The server refuses it in any case. */
function useIsOwnReview(reviewId: number): boolean {
  const client = useQueryClient()
  return client
    .getQueriesData<AnswerOf<'GET /appointment/get-past-sessions'>>({ queryKey: pastSessionsRoot() })
    .some(([, page]) => page?.data.some(({ review }) => review?.review_id === reviewId))
}
