import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import type { ReceivedReview } from '#contract/reviews.ts'
import { announce } from '#web/lib/announce.ts'
import { focusLate } from '#web/lib/focus-late.ts'
import { limitedField } from '#web/lib/form.ts'
import { useKeptForm } from '#web/lib/kept-form.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { ActionDialog } from '#web/ui/ActionDialog.tsx'
import { Form } from '#web/ui/Form.tsx'
import { Rating } from '#web/ui/Rating.tsx'
import { ReplyBlock } from '#web/ui/ReplyBlock.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { ReportButton } from './ReportButton.tsx'
import { reviewsRoot } from './review-queries.ts'

const months = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

type SetUnsaved = (change: (before: ReadonlySet<number>) => ReadonlySet<number>) => void

/** One review, with the practitioner's answer. `onUnsaved` adds it to those with unsaved words, and takes it out. */
export function ReceivedReviewCard({ review, onUnsaved }: { review: ReceivedReview; onUnsaved: SetUnsaved }) {
  const client = useQueryClient()
  const headingId = useId()
  const [isWriting, setWriting] = useState(false)
  const [isTakingBack, setTakingBack] = useState(false)
  const write = useRef<HTMLButtonElement>(null)
  const { reviewer, rating, comment, date, reply, hidden_reason } = review
  const isShown = hidden_reason === null
  const isErased = comment === ''
  const refresh = () => client.invalidateQueries({ queryKey: reviewsRoot() })

  const wasWriting = useRef(false)
  useEffect(() => {
    // The field has gone: the focus returns to what opened it.
    if (wasWriting.current && !isWriting) focusLate(write.current)
    wasWriting.current = isWriting
  }, [isWriting])

  return (
    <Card as="li" aria-labelledby={headingId} className="flex flex-col gap-3">
      <div>
        <h2
          id={headingId}
          className="flex flex-wrap items-baseline justify-between gap-x-4 font-sans text-base"
        >
          <span className="font-semibold">{reviewer}</span>
          <span className="text-sm font-normal text-soft">
            {months.format(new Date(date))}
            {review.edited_at && ', changed since'}
          </span>
        </h2>
        <Rating value={rating} />
      </div>
      {isErased ? (
        <p className="text-soft">The words were deleted when their writer closed their account.</p>
      ) : (
        <p className="text-pretty whitespace-pre-line">{comment}</p>
      )}
      {!isShown && (
        <p className="rounded-lg bg-warning-soft p-4 text-sm">
          We have hidden this review after a report: {hidden_reason} It is not on your profile and does not
          count towards your rating.
          {!isErased && ' Only you, the client who wrote it and our team can still read it.'}
        </p>
      )}
      {reply && !isWriting && (
        <ReplyBlock title="Your reply" reply={reply.reply}>
          {reply.hidden_reason !== null && (
            <p className="mt-2 text-sm text-warning">
              We have hidden your reply after a report: {reply.hidden_reason} It is not on your profile.
            </p>
          )}
        </ReplyBlock>
      )}
      {review.edited_since_reply && !isWriting && (
        <p className="text-sm text-soft">The review was changed after your reply.</p>
      )}
      {isWriting && <ReplyForm review={review} onUnsaved={onUnsaved} onDone={() => setWriting(false)} />}
      {isShown && !isWriting && (!isErased || (reply && !reply.hidden_reason)) && (
        <div className="-ml-6 flex flex-wrap items-center">
          {!isErased && !reply?.hidden_reason && (
            <Button ref={write} variant="quiet" onPress={() => setWriting(true)} aria-describedby={headingId}>
              {reply ? 'Edit reply' : 'Reply'}
            </Button>
          )}
          {reply && !reply.hidden_reason && (
            <Button variant="quiet" onPress={() => setTakingBack(true)} aria-describedby={headingId}>
              Delete reply
            </Button>
          )}
          <span className="ml-3">
            {review.reported ? (
              <span className="text-sm text-soft">You have reported it. We will look at it.</span>
            ) : (
              !isErased && (
                <ReportButton
                  reviewId={review.review_id}
                  about="review"
                  whose={`of ${reviewer}`}
                  onReported={() => void refresh()}
                />
              )
            )}
          </span>
        </div>
      )}
      {isTakingBack && <TakeReplyBack reviewId={review.review_id} onClose={() => setTakingBack(false)} />}
    </Card>
  )
}

function ReplyForm({
  review,
  onUnsaved,
  onDone,
}: {
  review: ReceivedReview
  onUnsaved: SetUnsaved
  onDone(): void
}) {
  const { review_id: id } = review
  const { form, isUnsaved, forget } = useKeptForm(
    `reply-${id}`,
    { reply: review.reply?.reply ?? '' },
    { isOfSaved: true },
  )
  const { isSubmitting } = form.formState
  const { setFocus } = form
  useEffect(() => setFocus('reply'), [setFocus])
  const close = () => {
    forget()
    onDone()
  }
  useEffect(() => {
    if (!isUnsaved) return undefined
    onUnsaved((before) => new Set([...before, id]))
    return () => onUnsaved((before) => new Set([...before].filter((each) => each !== id)))
  }, [id, isUnsaved, onUnsaved])

  const save = useAction('PUT /therapist/reviews/{id}/reply', {
    invalidates: [reviewsRoot()],
    onDone: () => {
      announce(review.reply ? 'Your reply is saved.' : 'Your reply is published.')
      close()
    },
  })

  return (
    <Form
      form={form}
      onSubmit={({ reply }) =>
        save.send({
          params: { id: review.review_id },
          body: { reply: reply.trim(), shown: { edited_at: review.edited_at } },
        })
      }
      failureTitle="Your reply was not saved"
      className="flex flex-col gap-4 border-t border-line pt-4"
    >
      <TextArea
        label="Your reply"
        description="Everyone can read it. Say nothing that could reveal who the client is, or what you talked about."
        rows={3}
        {...limitedField(form, 'PUT /therapist/reviews/{id}/reply', 'reply')}
      />
      <div className="flex flex-wrap gap-3">
        <SubmitButton pendingLabel="Saving">{review.reply ? 'Save reply' : 'Publish reply'}</SubmitButton>
        <Button variant="quiet" onPress={close} isDisabled={isSubmitting}>
          Cancel
        </Button>
      </div>
    </Form>
  )
}

function TakeReplyBack({ reviewId, onClose }: { reviewId: number; onClose(): void }) {
  const takeBack = useAction('DELETE /therapist/reviews/{id}/reply', {
    invalidates: [reviewsRoot()],
    onDone: () => announce('Your reply is deleted.'),
  })
  return (
    <ActionDialog
      onClose={onClose}
      title="Delete your reply?"
      confirmLabel="Delete reply"
      cancelLabel="Keep reply"
      isDangerous
      onConfirm={() => takeBack.send({ params: { id: reviewId } })}
      failureTitle="It was not deleted"
    >
      <p>It is deleted and leaves your profile at once. The review stays. You can reply again later.</p>
    </ActionDialog>
  )
}
