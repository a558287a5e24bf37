import type { Payable } from '#contract/back-office/practitioners.ts'
import { fieldOf, limitedField, useForm } from '#web/lib/form.ts'
import { formatPounds } from '#web/lib/money.ts'
import { useAction } from '#web/lib/use-action.ts'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { AmountField, amountOf, amountRule } from './AmountField.tsx'

type Props = {
  /** As it was when the dialog was opened: with newer sums, a repetition after a lost answer would be another payout. */
  payable: Payable
  onRecorded(text: string): void
  onClose(): void
}

/** Writes down a transfer that was made at the bank. */
export function PayoutDialog({ payable, onRecorded, onClose }: Props) {
  const pay = useAction('POST /admin/payouts/{id}', {
    invalidates: [['admin', 'payouts']],
    onDone: (_, { body }) =>
      onRecorded(`${formatPounds(Number(body.amount))} to ${payable.full_name} is recorded.`),
  })
  const form = useForm({ defaultValues: { amount: String(payable.payable), reference: '' } })

  return (
    <FormDialog
      form={form}
      title="Mark as paid out?"
      submitLabel="It has been transferred"
      pendingLabel="Recording it"
      failureTitle="Nothing was recorded"
      onSubmit={({ amount, reference }) =>
        pay.send({
          params: { id: payable.practitioner_id },
          body: { amount: amountOf(amount), owed_before: payable.owed, reference: reference.trim() },
        })
      }
      onClose={onClose}
    >
      <p>
        {`Transfer the money at the bank first. ${payable.full_name} is then owed that much less, and sees it in their balance and statement. If the bank sends it back, reverse it under “Paid out”.`}
      </p>
      <AmountField most={payable.payable} {...fieldOf(form, 'amount', amountRule)} />
      <TextField
        label="Bank reference"
        description="As it appears on the bank statement. It is kept in the audit log."
        autoComplete="off"
        {...limitedField(form, 'POST /admin/payouts/{id}', 'reference', {
          validate: (text) => text.trim() !== '' || 'Enter the reference.',
        })}
      />
    </FormDialog>
  )
}
