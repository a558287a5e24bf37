import type { OwnReview } from '#contract/reviews.ts'
import { Button } from '#web/ui/Button.tsx'
import { Rating } from '#web/ui/Rating.tsx'
import { ReplyBlock } from '#web/ui/ReplyBlock.tsx'
import { ReportButton } from './ReportButton.tsx'

type Props = {
  review: OwnReview
  /** The id of the heading of the session, which describes the buttons. */
  headingId: string
  onEdit(): void
  onWithdraw(): void
}

/** A review as its author sees it, with the reply. Edited and withdrawn while it is shown. */
export function OwnReviewBlock({ review, headingId, onEdit, onWithdraw }: Props) {
  return (
    <div className="flex flex-col gap-2 border-t border-line pt-4">
      <p className="flex flex-wrap items-center justify-between gap-x-4">
        <span className="font-semibold">Your review</span>
        <Rating value={review.rating} />
      </p>
      <p className="text-pretty whitespace-pre-line">{review.comment}</p>
      {review.reply && (
        <ReplyBlock reply={review.reply.reply}>
          {review.hidden_reason === null && (
            <ReportButton reviewId={review.review_id} about="reply" whose="to your review" />
          )}
        </ReplyBlock>
      )}
      {review.hidden_reason === null ? (
        <div className="-ml-6 flex flex-wrap">
          <Button variant="quiet" onPress={onEdit} aria-describedby={headingId}>
            Edit review
          </Button>
          <Button variant="quiet" onPress={onWithdraw} aria-describedby={headingId}>
            Withdraw
          </Button>
        </div>
      ) : (
        <p className="rounded-lg bg-warning-soft p-4 text-sm">
          We have hidden this review after a report: {review.hidden_reason} It is not on the profile and does
          not count towards the rating. Only you, your practitioner and our team can still read it.
        </p>
      )}
    </div>
  )
}
