import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import type { Payable } from '#contract/practice-desk.ts'
import { callApi, newIdempotencyKey } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { showApiError } from '#web/lib/form.ts'
import { formatPounds } from '#web/lib/money.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { showToast } from '#web/ui/Toast.tsx'

type Values = { amount: string; reference: string }

/** Writes down a transfer that was made at the bank. */
export function PayoutDialog({ payable, onClose }: { payable: Payable; onClose(): void }) {
  const formId = useId()
  const client = useQueryClient()
  // One key for what is decided here: sent again after a lost answer, it is carried out once.
  const [key, setKey] = useState(newIdempotencyKey)
  const form = useForm<Values>({ defaultValues: { amount: String(payable.payable), reference: '' } })
  const { errors, isSubmitting } = form.formState

  const send = form.handleSubmit(async ({ amount, reference }) => {
    try {
      await callApi('POST /admin/payouts/{id}', {
        params: { id: payable.practitioner_id },
        body: { amount: Number(amount), owed_before: payable.owed, reference: reference.trim() },
        idempotencyKey: key,
      })
      showToast(`${formatPounds(Number(amount))} to ${payable.full_name} is written down.`)
      void client.invalidateQueries({ queryKey: ['admin', 'payouts'] })
      onClose()
    } catch (error) {
      // Decided, and refused: what is sent next is something else.
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) setKey(newIdempotencyKey())
      if (error instanceof ApiError && error.status === 409)
        void client.invalidateQueries({ queryKey: ['admin', 'payouts'] })
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
      title="Mark as paid out?"
      footer={
        <>
          <Button type="submit" form={formId} isPending={isSubmitting} pendingLabel="Writing it down">
            It has been transferred
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
          <Notice tone="danger" live="assertive" title="Nothing was written down">
            {errors.root.server.message}
          </Notice>
        )}
        <p>
          {`Transfer the money at the bank first. Then ${payable.full_name} is owed as much less, and sees it in their balance and statement. It cannot be undone.`}
        </p>
        <TextField
          label="Amount"
          prefix="£"
          inputMode="decimal"
          autoComplete="off"
          description={`At most ${formatPounds(payable.payable)}.`}
          className="max-w-48"
          error={errors.amount?.message}
          {...form.register('amount', {
            validate: (text) =>
              /^\d+(\.\d{1,2})?$/.test(text.trim()) || 'Enter pounds and pence, such as 12.50.',
          })}
        />
        <TextField
          label="Bank reference"
          description="As it stands on the bank’s statement. It stays in the audit log."
          autoComplete="off"
          maxLength={100}
          error={errors.reference?.message}
          {...form.register('reference', {
            validate: (text) => text.trim() !== '' || 'Enter the reference.',
          })}
        />
      </form>
    </Dialog>
  )
}
