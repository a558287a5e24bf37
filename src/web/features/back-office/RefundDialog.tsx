import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import type { PaidSession } from '#contract/payment-desk.ts'
import { callApi, newIdempotencyKey } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { showApiError } from '#web/lib/form.ts'
import { formatPounds } from '#web/lib/money.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { showToast } from '#web/ui/Toast.tsx'

type Values = { amount: string; reason: string }

/** Gives back what was paid for a session, in full or in part. */
export function RefundDialog({ paid, onClose }: { paid: PaidSession; onClose(): void }) {
  const formId = useId()
  const client = useQueryClient()
  // One key for what is decided here: sent again after a lost answer, it is carried out once.
  const [key, setKey] = useState(newIdempotencyKey)
  const form = useForm<Values>({ defaultValues: { amount: String(paid.refundable), reason: '' } })
  const { errors, isSubmitting } = form.formState

  const send = form.handleSubmit(async ({ amount, reason }) => {
    try {
      const { refunds } = await callApi('POST /admin/payments/{id}/refund', {
        params: { id: paid.session_id },
        body: {
          amount: Number(amount),
          refunded_before: paid.refunded,
          reason: reason.trim(),
        },
        idempotencyKey: key,
      })
      const isOpen = refunds.some((refund) => refund.state === 'requested')
      showToast(isOpen ? 'The refund is on its way.' : 'The money is on its way back to the card.')
      void client.invalidateQueries({ queryKey: ['admin', 'payments'] })
      onClose()
    } catch (error) {
      // Decided, and refused: what is sent next is something else.
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) setKey(newIdempotencyKey())
      if (error instanceof ApiError && error.status === 409)
        void client.invalidateQueries({ queryKey: ['admin', 'payments'] })
      showApiError(form, error)
    }
  })

  return (
    <Dialog
      isOpen
      isStubborn={isSubmitting}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
      title="Give money back?"
      footer={
        <>
          <Button type="submit" form={formId} isPending={isSubmitting} pendingLabel="Giving it back">
            Give it back
          </Button>
          <Button variant="secondary" onPress={onClose} isDisabled={isSubmitting}>
            Go back
          </Button>
        </>
      }
    >
      <form
        id={formId}
        method="post"
        noValidate
        onSubmit={(event) => void send(event)}
        className="flex flex-col gap-4"
      >
        {errors.root?.server && (
          <Notice tone="danger" live="assertive" title="Nothing was given back">
            {errors.root.server.message}
          </Notice>
        )}
        <p>
          {`${paid.client.full_name} paid ${formatPounds(paid.paid)}. It goes back to the card, ${paid.practitioner.full_name} is owed as much less, and the client gets a mail. It cannot be undone.`}
        </p>
        <TextField
          label="Amount"
          prefix="£"
          inputMode="decimal"
          autoComplete="off"
          description={`At most ${formatPounds(paid.refundable)}.`}
          className="max-w-48"
          error={errors.amount?.message}
          {...form.register('amount', {
            validate: (text) =>
              /^\d+(\.\d{1,2})?$/.test(text.trim()) || 'Enter pounds and pence, such as 12.50.',
          })}
        />
        <TextArea
          label="Reason"
          description="It stays in the books and in the audit log."
          maxLength={500}
          error={errors.reason?.message}
          {...form.register('reason', {
            validate: (text) => text.trim() !== '' || 'Give a reason.',
          })}
        />
      </form>
    </Dialog>
  )
}
