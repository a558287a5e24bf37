import { messageOf } from '#web/lib/api-error.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import type { BankChecked } from './use-bank-checked.ts'

/** Stands where the bank's own page would be, as long as cards are the sandbox's. */
export function BankCheck({ checked }: { checked: BankChecked }) {
  const isConfirming = checked.step === 'confirming'
  return (
    <Dialog
      isOpen={checked.step === 'asking' || isConfirming}
      onOpenChange={(isOpen) => {
        if (!isOpen) checked.decline()
      }}
      isStubborn={isConfirming}
      title="Your bank wants to check that it is you"
      footer={
        <>
          <Button onPress={checked.confirm} isPending={isConfirming} pendingLabel="Confirming">
            Confirm
          </Button>
          <Button variant="secondary" onPress={checked.decline} isDisabled={isConfirming}>
            Cancel
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <p>
          With a real card your bank’s page or app would open here. This is a trial: press Confirm to say that
          it is you. If you cancel, nothing is charged.
        </p>
        {checked.step === 'asking' && checked.error !== undefined && (
          <Notice tone="danger" live="assertive">
            {messageOf(checked.error)}
          </Notice>
        )}
      </div>
    </Dialog>
  )
}
