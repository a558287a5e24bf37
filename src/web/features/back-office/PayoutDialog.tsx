import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import type { Payable } from '#contract/back-office/practitioners.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { fieldOf, limitedField, useForm } from '#web/lib/form.ts'
import { formatPounds } from '#web/lib/money.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { causeLabels } from './admin-labels.ts'
import { AmountField, amountOf, amountRule } from './AmountField.tsx'

type Props = {
  /** As it was when the dialog was opened: with newer sums, a repetition after a lost answer would be another payout. */
  payable: Payable
  onRecorded(text: string): void
  onClose(): void
}

/** Writes down a transfer that was made at the bank. */
export function PayoutDialog({ payable, onRecorded, onClose }: Props) {
  const { full_name: name, suspended_for: cause, is_withheld } = payable
  /** The amount that was refused, as it was typed: a transfer that was made has to be recorded all the same. */
  const [refusedAmount, setRefusedAmount] = useState<string>()
  const [isHeldBack, setHeldBack] = useState(is_withheld)
  const pay = useAction('POST /admin/payouts/{id}', {
    invalidates: [['admin', 'payouts']],
    onDone: (_, { body }) => onRecorded(`${formatPounds(Number(body.amount))} to ${name} is recorded.`),
    onRefused(error) {
      const { amount, despite_suspension } = error instanceof ApiError ? error.errors : {}
      if (amount) {
        setRefusedAmount(form.getValues('amount'))
        form.setValue('beyond_payable', false)
      }
      if (despite_suspension) setHeldBack(true)
    },
  })
  const form = useForm({
    defaultValues: {
      amount: payable.payable > 0 ? String(payable.payable) : '',
      reference: '',
      beyond_payable: false,
      despite_suspension: false,
    },
  })

  const amountNow = useWatch({ control: form.control, name: 'amount' })
  const mayBeBeyond = amountNow === refusedAmount && amountOf(amountNow) > 0

  return (
    <FormDialog
      form={form}
      title="Mark as paid out?"
      submitLabel="It has been transferred"
      pendingLabel="Recording it"
      failureTitle="Nothing was recorded"
      onSubmit={({ amount, reference, beyond_payable, despite_suspension }) =>
        pay.send({
          params: { id: payable.practitioner_id },
          body: {
            amount: amountOf(amount),
            owed_before: payable.owed,
            reference: reference.trim(),
            ...(mayBeBeyond && beyond_payable && { beyond_payable }),
            ...(despite_suspension && { despite_suspension }),
          },
        })
      }
      onClose={onClose}
    >
      {cause && is_withheld && (
        <Alert tone="warning" title={`Suspended for: ${causeLabels[cause]}`}>
          Nothing is to be paid out meanwhile: clients may have money to get back.
        </Alert>
      )}
      <p>
        {`Transfer the money at the bank first. ${name} is then owed that much less, and sees it in their balance and statement. If the bank sends it back, reverse it under “Paid out”.`}
      </p>
      <AmountField most={payable.payable} {...fieldOf(form, 'amount', amountRule)} />
      {mayBeBeyond && (
        <Checkbox
          description="For a transfer that was made all the same. What is beyond comes off the next payouts."
          {...fieldOf(form, 'beyond_payable')}
        >
          This much has left the bank
        </Checkbox>
      )}
      <TextField
        label="Bank reference"
        description="As it appears on the bank statement. It is kept in the audit log."
        autoComplete="off"
        {...limitedField(form, 'POST /admin/payouts/{id}', 'reference', {
          validate: (text) => text.trim() !== '' || 'Enter the reference.',
        })}
      />
      {isHeldBack && (
        <Checkbox
          description="For a transfer that was made all the same. The audit log says so."
          {...fieldOf(form, 'despite_suspension', {
            required: 'Tick this if it was transferred all the same.',
          })}
        >
          It was paid out despite the suspension
        </Checkbox>
      )}
    </FormDialog>
  )
}
