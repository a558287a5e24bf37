import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { PastSession } from '#contract/reviews.ts'
import { callApi } from '#web/lib/api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { reviewsRoot } from './review-queries.ts'

type Props = { session: PastSession; onClose(): void; onWithdrawn(): void }

/** Asks before a review is taken back. */
export function WithdrawReview({ session, onClose, onWithdrawn }: Props) {
  const client = useQueryClient()
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<unknown>()

  async function withdraw(): Promise<void> {
    setPending(true)
    setError(undefined)
    try {
      await callApi('DELETE /appointment/{appointment_id}/review', {
        params: { appointment_id: session.appointment_id },
      })
      await client.invalidateQueries({ queryKey: reviewsRoot() })
      onWithdrawn()
    } catch (thrown) {
      setError(thrown)
    } finally {
      setPending(false)
    }
  }

  return (
    <ConfirmDialog
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
      title="Withdraw your review?"
      confirmLabel="Withdraw review"
      cancelLabel="Keep review"
      isDangerous
      isPending={isPending}
      onConfirm={() => void withdraw()}
    >
      <div className="flex flex-col gap-4">
        <p>
          Your words and stars for {session.practitioner.full_name} are deleted, with any reply to them. You
          can write a new review of this session later.
        </p>
        {error !== undefined && (
          <Notice tone="danger" live="assertive" title="It is not withdrawn">
            {messageOf(error)}
          </Notice>
        )}
      </div>
    </ConfirmDialog>
  )
}
