import { messageOf } from '#web/lib/api-error.ts'
import { BankCheckDialog } from '#web/ui/BankCheckDialog.tsx'
import type { Payment } from './use-payment.ts'

/** The bank's question in the middle of a payment to the platform. */
export function PaymentCheck({ payment }: { payment: Payment }) {
  return (
    <BankCheckDialog
      isOpen={payment.step === 'asking' || payment.step === 'confirming'}
      isConfirming={payment.step === 'confirming'}
      problem={
        payment.step === 'asking' && payment.error !== undefined ? messageOf(payment.error) : undefined
      }
      onConfirm={payment.confirm}
      onDecline={payment.decline}
    />
  )
}
