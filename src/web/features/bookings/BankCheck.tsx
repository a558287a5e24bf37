import { BankCheckDialog } from '#web/ui/BankCheckDialog.tsx'
import { messageOf } from '#web/lib/api-error.ts'
import type { BankChecked } from './use-bank-checked.ts'

/** The bank's question in the middle of what moves money for a session. */
export function BankCheck({ checked }: { checked: BankChecked }) {
  return (
    <BankCheckDialog
      isOpen={checked.step === 'asking' || checked.step === 'confirming'}
      isConfirming={checked.step === 'confirming'}
      problem={
        checked.step === 'asking' && checked.error !== undefined ? messageOf(checked.error) : undefined
      }
      onConfirm={checked.confirm}
      onDecline={checked.decline}
    />
  )
}
