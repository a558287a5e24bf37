import { BankCheckDialog } from './BankCheckDialog.tsx'
import { messageOf } from '../lib/api-error.ts'
import type { BankChecked } from '../lib/use-bank-checked.ts'

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
