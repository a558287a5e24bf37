import { useQueryClient } from '@tanstack/react-query'
import type { PastSession } from '#contract/reviews.ts'
import { callApi } from '#web/lib/api.ts'
import { ActionDialog } from '#web/ui/ActionDialog.tsx'
import { reviewsRoot } from './review-queries.ts'

type Props = { session: PastSession; onClose(): void; onWithdrawn(): void }

/** Asks before a review is taken back. */
export function WithdrawReview({ session, onClose, onWithdrawn }: Props) {
  const client = useQueryClient()

  async function withdraw(): Promise<void> {
    await callApi('DELETE /appointment/{appointment_id}/review', {
      params: { appointment_id: session.appointment_id },
    })
    await client.invalidateQueries({ queryKey: reviewsRoot() })
    onWithdrawn()
  }

  return (
    <ActionDialog
      onClose={onClose}
      title="Withdraw your review?"
      confirmLabel="Withdraw review"
      cancelLabel="Keep review"
      isDangerous
      onConfirm={withdraw}
      failureTitle="It is not withdrawn"
    >
      <p>
        Your words and stars for {session.practitioner.full_name} are deleted, with any reply to them. You can
        write a new review of this session later.
      </p>
    </ActionDialog>
  )
}
