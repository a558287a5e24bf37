import type { PayoutReversalReason, RecordedPayout } from '#contract/back-office/practitioners.ts'
import { fieldOf, useForm } from '#web/lib/form.ts'
import { formatPounds } from '#web/lib/money.ts'
import { useAction } from '#web/lib/use-action.ts'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'

type Props = {
  payout: RecordedPayout
  onReversed(text: string): void
  onClose(): void
}

/** Writes down that a payout came back, or was recorded wrongly. */
export function ReversePayoutDialog({ payout, onReversed, onClose }: Props) {
  const { full_name: name, email, reference } = payout
  const amount = formatPounds(payout.amount)
  const reverse = useAction('POST /admin/payouts/recorded/{payout_id}/reverse', {
    invalidates: [['admin', 'payouts']],
    onDone: () => onReversed(`The payout ${reference} is reversed. ${amount} is owed to ${name} again.`),
  })
  /** Empty: not chosen yet. */
  const form = useForm<{ reason: PayoutReversalReason | '' }>({ defaultValues: { reason: '' } })
  const { error, ...reason } = fieldOf(form, 'reason', { required: 'Choose why.' })
  return (
    <FormDialog
      form={form}
      title="Reverse this payout?"
      submitLabel="Reverse it"
      pendingLabel="Reversing it"
      variant="danger"
      failureTitle="Nothing was changed"
      onSubmit={(values) => {
        // The form has refused an empty choice.
        const chosen = values.reason as PayoutReversalReason
        return reverse.send({ params: { payout_id: payout.payout_id }, body: { reversal_reason: chosen } })
      }}
      onClose={onClose}
    >
      <p>
        {`${amount}, ${reference}: the whole amount is owed to ${name} again, and both movements stay on their statement. It cannot be undone.`}
      </p>
      <RadioGroup
        label="Why"
        error={error}
        options={[
          {
            value: 'returned_by_bank',
            label: 'The bank sent it back',
            description: email
              ? `Ask ${email} for the right account before you pay it out again.`
              : 'Ask for the right account before you pay it out again.',
          },
          {
            value: 'recorded_wrongly',
            label: 'It was recorded wrongly',
            description: 'Record afterwards what was really transferred.',
          },
        ]}
        inputProps={reason}
      />
    </FormDialog>
  )
}
