import { useState } from 'react'
import { lateDialog } from '#web/ui/Dialog.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import type { Reported } from './ReportDialog.tsx'

const ReportDialog = lateDialog(() => import('./ReportDialog.tsx'))

export type ReportOpenerProps = Reported & {
  /** The author, for screen readers, to which the button's place says nothing: "of M.". */
  whose: string
  onReported?(): void
}

/** The button that opens a report, for those who may send one. Loaded for them alone. */
export default function ReportOpener({ reviewId, about, whose, onReported }: ReportOpenerProps) {
  const [isOpen, setOpen] = useState(false)
  const [isSent, setSent] = useState(false)
  if (isSent) return <span className="text-sm text-soft">Reported</span>
  return (
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
      )}
    </>
  )
}
