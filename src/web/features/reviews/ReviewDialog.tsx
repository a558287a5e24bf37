import { useWatch } from 'react-hook-form'
import { limitedField } from '#web/lib/form.ts'
import type { OwnReview, PastSession } from '#contract/reviews.ts'
import { useKeptForm } from '#web/lib/kept-form.ts'
import { formatDay, viewerZone } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { ownReviewKeys } from './review-queries.ts'
import { StarField } from './StarField.tsx'

type Props = {
  session: PastSession
  onClose(): void
  onSaved(review: OwnReview, isNew: boolean): void
}

/** Where a session is reviewed, or what was written is changed. What was typed is kept when it fails. */
export default function ReviewDialog({ session, onClose, onSaved }: Props) {
  const { review, practitioner, starts_at, appointment_id } = session
  const { form, forget } = useKeptForm(
    `review-${appointment_id}`,
    { rating: review ? String(review.rating) : '', comment: review?.comment ?? '' },
    { isOfSaved: true },
  )
  const { errors } = form.formState
  const rating = Number(useWatch({ control: form.control, name: 'rating' })) || 0

  const save = useAction(`${review ? 'PUT' : 'POST'} /appointment/{appointment_id}/review`, {
    invalidates: ownReviewKeys(),
    onDone(saved) {
      forget()
      onSaved(saved, review === null)
    },
  })

  return (
    <FormDialog
      form={form}
      title={review ? 'Edit your review' : 'Review this session'}
      submitLabel={review ? 'Save changes' : 'Publish review'}
      pendingLabel="Saving"
      backLabel={review ? 'Keep it as it is' : 'Not now'}
      failureTitle="Your review was not saved"
      onSubmit={({ comment }) =>
        save.send({ params: { appointment_id }, body: { rating, comment: comment.trim() } })
      }
      onClose={() => {
        // Left as it is, the published review is what the next change begins with.
        if (review) forget()
        onClose()
      }}
    >
      <p className="text-soft">
        With {practitioner.full_name}
        {starts_at && `, ${formatDay(starts_at, viewerZone())}`}
      </p>
      <StarField
        label="How was it?"
        value={rating}
        error={errors.rating?.message}
        inputProps={form.register('rating', { required: 'Choose how many stars.' })}
      />
      <TextArea
        label="What would you tell someone who is looking for help?"
        description="Leave out what you would not want your practitioner, your employer or your family to read."
        rows={5}
        {...limitedField(form, 'POST /appointment/{appointment_id}/review', 'comment')}
      />
      <p className="text-sm text-soft">
        It is shown on the profile with the initial of your first name and the month. Your practitioner may
        know that it is you. You can change or withdraw it for as long as it is shown: not once we have hidden
        it after a report.
      </p>
    </FormDialog>
  )
}
