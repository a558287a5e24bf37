import { Suspense } from 'react'
import { lazyPart } from '#web/lib/lazy-part.ts'
import { useSession } from '#web/lib/session.ts'
import type { ReportOpenerProps } from './ReportOpener.tsx'

/** While they have not come, nothing can be reported: a failure to fetch them may not take the profile with it. */
const OwnReviewLink = lazyPart(() => import('./OwnReviewLink.tsx'))
const ReportOpener = lazyPart(() => import('./ReportOpener.tsx'))

type Props = ReportOpenerProps & {
  /** On a profile: the practitioner, who wrote the replies. */
  practitionerId?: number
}

/**
 * Opens the report of a review or of a reply. For signed-in clients and practitioners, and for what others wrote.
 */
export function ReportButton({ practitionerId, ...report }: Props) {
  const session = useSession()
  const { reviewId, about } = report
  if (session.role !== 'client' && session.role !== 'therapist') return null
  if (about === 'reply' && session.role === 'therapist' && session.therapist.id === practitionerId)
    return null
  const opener = <ReportOpener {...report} />
  return (
    <Suspense>
      {session.role === 'client' && about === 'review' && practitionerId !== undefined ? (
        <OwnReviewLink reviewId={reviewId} practitionerId={practitionerId}>
          {opener}
        </OwnReviewLink>
      ) : (
        opener
      )}
    </Suspense>
  )
}
