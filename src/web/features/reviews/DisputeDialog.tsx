import { limitedField } from '#web/lib/form.ts'
import { useKeptForm } from '#web/lib/kept-form.ts'
import type { PastSession } from '#contract/reviews.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { ownReviewKeys } from './review-queries.ts'

type Props = { session: PastSession; onClose(): void; onSent(): void }

/** Where a client disputes that they did not come. What was typed is kept when it fails. */
export default function DisputeDialog({ session, onClose, onSent }: Props) {
  const { practitioner, starts_at, appointment_id } = session
  const { form, forget } = useKeptForm(`dispute-${appointment_id}`, { reason: '' })

  const dispute = useAction('POST /appointment/{appointment_id}/dispute-no-show', {
    invalidates: ownReviewKeys(),
    onDone() {
      forget()
      onSent()
    },
  })

  return (
    <FormDialog
      form={form}
      title="Were you there?"
      submitLabel="Send it to us"
      pendingLabel="Sending"
      backLabel="Not now"
      failureTitle="Your dispute was not sent"
      onSubmit={({ reason }) => dispute.send({ params: { appointment_id }, body: { reason: reason.trim() } })}
      onClose={onClose}
    >
      <p className="text-soft">
        With {practitioner.full_name}
        {starts_at && `, ${formatDayAndTime(starts_at, viewerZone())}`}
      </p>
      <p>
        We ask {practitioner.first_name} too, and then decide. If we decide in your favour, you get the whole
        price back.
      </p>
      <TextArea
        label="What happened?"
        description={`Such as when you were there and how long you waited. ${practitioner.first_name} will not see this.`}
        rows={5}
        {...limitedField(form, 'POST /appointment/{appointment_id}/dispute-no-show', 'reason')}
      />
    </FormDialog>
  )
}
