import type { PastSession } from '#contract/reviews.ts'
import { useAction } from '#web/lib/use-action.ts'
import { ActionDialog } from '#web/ui/ActionDialog.tsx'
import { ownReviewKeys } from './review-queries.ts'

type Props = { session: PastSession; onClose(): void; onWithdrawn(): void }

/** Asks before a review is taken back. */
export default function WithdrawReview({ session, onClose, onWithdrawn }: Props) {
  const withdraw = useAction('DELETE /appointment/{appointment_id}/review', {
    invalidates: ownReviewKeys(),
    onDone: onWithdrawn,
  })

  return (
    <ActionDialog
      onClose={onClose}
      title="Withdraw your review?"
      confirmLabel="Withdraw review"
      cancelLabel="Keep review"
      isDangerous
      onConfirm={() => withdraw.send({ params: { appointment_id: session.appointment_id } })}
      failureTitle="It was not withdrawn"
    >
      <p>
        Your words and stars for {session.practitioner.full_name} are deleted, with any reply to them. You can
        write a new review of this session later.
      </p>
    </ActionDialog>
  )
}
