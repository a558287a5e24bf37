import { useEffect } from 'react'
import type { BankChecked } from '../lib/use-bank-checked.ts'
import { Button } from './Button.tsx'
import { Dialog, fetchDialogs } from './Dialog.tsx'
import { ErrorAlert } from './ErrorAlert.tsx'

/** The bank's question. Stands where the bank's own page would be, as long as cards are the sandbox's. */
export function BankCheck({ checked: { step, error, confirm, decline } }: { checked: BankChecked }) {
  const isConfirming = step === 'confirming'
  // While the payment is on its way, so that the question does not wait for it.
  useEffect(() => {
    if (step !== 'idle') fetchDialogs()
  }, [step])
  return (
    <Dialog
      isOpen={isConfirming || step === 'asking'}
      onClose={decline}
      isStubborn={isConfirming}
      title="Your bank wants to check that it is you"
      footer={
        <>
          <Button onPress={confirm} isPending={isConfirming} pendingLabel="Confirming">
            Confirm
          </Button>
          <Button variant="secondary" onPress={decline} isDisabled={isConfirming}>
            Cancel
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <p>
          With a real card your bank’s page or app would open here. This is a demo: press Confirm to say that
          it is you. If you cancel, nothing is charged.
        </p>
        <ErrorAlert error={step === 'asking' ? error : undefined} />
      </div>
    </Dialog>
  )
}
