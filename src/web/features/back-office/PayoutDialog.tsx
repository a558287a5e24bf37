import { useForm } from 'react-hook-form'
import type { Payable } from '#contract/back-office/practitioners.ts'
import { callApi } from '#web/lib/api.ts'
import { formatPounds } from '#web/lib/money.ts'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { AmountField, amountRule } from './AmountField.tsx'
import { useSingleDecision } from './use-single-decision.ts'

/** Writes down a transfer that was made at the bank. */
export function PayoutDialog({ payable, onClose }: { payable: Payable; onClose(): void }) {
  const decide = useSingleDecision(['admin', 'payouts'])
  const form = useForm({ defaultValues: { amount: String(payable.payable), reference: '' } })
  const { errors } = form.formState

  return (
    <FormDialog
      form={form}
      title="Mark as paid out?"
      submitLabel="It has been transferred"
      pendingLabel="Writing it down"
      failureTitle="Nothing was written down"
      onSubmit={async ({ amount, reference }) => {
        await decide((idempotencyKey) =>
          callApi('POST /admin/payouts/{id}', {
            params: { id: payable.practitioner_id },
            body: { amount: Number(amount), owed_before: payable.owed, reference: reference.trim() },
            idempotencyKey,
          }),
        )
        showToast(`${formatPounds(Number(amount))} to ${payable.full_name} is written down.`)
        onClose()
      }}
      onClose={onClose}
    >
      <p>
        {`Transfer the money at the bank first. Then ${payable.full_name} is owed as much less, and sees it in their balance and statement. It cannot be undone.`}
      </p>
      <AmountField
        most={payable.payable}
        error={errors.amount?.message}
        input={form.register('amount', amountRule)}
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
    </FormDialog>
  )
}
