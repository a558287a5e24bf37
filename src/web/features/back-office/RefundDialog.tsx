import type { PaidSession } from '#contract/back-office/payments.ts'
import { fieldOf, limitedField, useForm } from '#web/lib/form.ts'
import { formatPounds } from '#web/lib/money.ts'
import { useAction } from '#web/lib/use-action.ts'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { AmountField, amountOf, amountRule } from './AmountField.tsx'
import { reasonRule } from './ReasonDialog.tsx'

type Props = {
  /** As it was when the dialog was opened: with newer sums, a repetition after a lost answer would be another refund. */
  paid: PaidSession
  onClose(): void
}

/** Gives back what was paid for a session, in full or in part. */
export function RefundDialog({ paid, onClose }: Props) {
  const refund = useAction('POST /admin/payments/{id}/refund', {
    invalidates: [['admin', 'payments']],
    onDone({ refunds }) {
      const isOpen = refunds.some(({ state }) => state === 'requested')
      showToast(isOpen ? 'The refund is on its way.' : 'The money is on its way back to the card.')
    },
  })
  const form = useForm({ defaultValues: { amount: String(paid.refundable), reason: '' } })

  return (
    <FormDialog
      form={form}
      title="Make a refund?"
      submitLabel="Refund"
      pendingLabel="Refunding"
      failureTitle="Nothing was refunded"
      onSubmit={({ amount, reason }) =>
        refund.send({
          params: { id: paid.session_id },
          body: { amount: amountOf(amount), refunded_before: paid.refunded, reason: reason.trim() },
        })
      }
      onClose={onClose}
    >
      <p>
        {`${paid.client.full_name} paid ${formatPounds(paid.paid)}. It goes back to the card, what ${paid.practitioner.full_name} is owed changes with it, and the client gets an email. It cannot be undone.`}
      </p>
      {paid.refunds.some(({ state }) => state === 'failed') && (
        <p>A refund that failed is made again by its exact amount: a discount that it had goes along.</p>
      )}
      <AmountField most={paid.refundable} {...fieldOf(form, 'amount', amountRule)} />
      <TextArea
        label="Reason"
        description="It is kept in the accounts and in the audit log."
        {...limitedField(form, 'POST /admin/payments/{id}/refund', 'reason', reasonRule)}
      />
    </FormDialog>
  )
}
