import { lazy, Suspense, useState } from 'react'
import { lazyPart } from '#web/lib/lazy-part.ts'
import { useSession } from '#web/lib/session.ts'
import { showToast } from '#web/ui/Toast.tsx'
import type { Reported } from './ReportDialog.tsx'

/** While it has not come, nothing can be reported: a failure to fetch it may not take the profile with it. */
const OwnReviewLink = lazyPart(() => import('./OwnReviewLink.tsx'))
const ReportDialog = lazy(() => import('./ReportDialog.tsx'))

type Props = Reported & {
  /** The author, for screen readers, to which the button's place says nothing: "of M.". */
  whose: string
  /** On a profile: the practitioner, who wrote the replies. */
  practitionerId?: number
  onReported?(): void
}

/**
 * Opens the report of a review or of a reply. For signed-in clients and practitioners, and for what others wrote.
 */
export function ReportButton({ reviewId, about, whose, practitionerId, onReported }: Props) {
  const session = useSession()
  const [isOpen, setOpen] = useState(false)
  const [isSent, setSent] = useState(false)
  if (session.role !== 'client' && session.role !== 'therapist') return null
  if (about === 'reply' && session.role === 'therapist' && session.therapist.id === practitionerId)
    return null
  if (isSent) return <span className="text-sm text-soft">Reported</span>
  const button = (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        className="-mx-2 tappable rounded-full px-2 text-sm text-soft underline underline-offset-4 hover:text-ink print:hidden"
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
              setSent(true)
              showToast('Thank you. Someone on our team will look at it.')
              onReported?.()
            }}
          />
        </Suspense>
      )}
    </>
  )
  return session.role === 'client' && about === 'review' && practitionerId !== undefined ? (
    <Suspense>
      <OwnReviewLink reviewId={reviewId} practitionerId={practitionerId}>
        {button}
      </OwnReviewLink>
    </Suspense>
  ) : (
    button
  )
}
