import { limitedField } from '#web/lib/form.ts'
import { useKeptForm } from '#web/lib/kept-form.ts'
import { useAction } from '#web/lib/use-action.ts'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'

export type Reported = { reviewId: number; about: 'review' | 'reply' }

type Props = Reported & { onClose(): void; onReported(): void }

/** The form to report a review or a reply to one. Loaded when it is opened. */
export default function ReportDialog({ reviewId, about, onClose, onReported }: Props) {
  const { form, forget } = useKeptForm(`report-${about}-${reviewId}`, { reason: '' })
  const report = useAction(
    about === 'review' ? 'POST /reviews/{id}/report' : 'POST /reviews/{id}/reply/report',
    {
      onDone() {
        forget()
        onReported()
      },
    },
  )

  return (
    <FormDialog
      form={form}
      title={`Report this ${about}`}
      submitLabel="Send report"
      pendingLabel="Sending"
      backLabel="Cancel"
      failureTitle="Your report was not sent"
      onSubmit={({ reason }) => report.send({ params: { id: reviewId }, body: { reason: reason.trim() } })}
      onClose={onClose}
    >
      <p>
        Someone on our team will read it and decide whether it stays. The person who wrote it is not told who
        reported it. Being critical is no reason to take a {about} down.
      </p>
      <TextArea
        label="What is wrong with it?"
        description="Such as a name or an address, a threat, an insult, or that it is about someone else."
        rows={3}
        {...limitedField(form, 'POST /reviews/{id}/report', 'reason')}
      />
    </FormDialog>
  )
}
