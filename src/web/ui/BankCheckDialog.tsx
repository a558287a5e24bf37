import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { Alert } from './Alert.tsx'

export type BankCheckDialogProps = {
  isOpen: boolean
  isConfirming: boolean
  /** Why the last try to confirm did not succeed. */
  problem?: string | undefined
  onConfirm(): void
  onDecline(): void
}

/** Stands where the bank's own page would be, as long as cards are the sandbox's. */
export function BankCheckDialog({
  isOpen,
  isConfirming,
  problem,
  onConfirm,
  onDecline,
}: BankCheckDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) onDecline()
      }}
      isStubborn={isConfirming}
      title="Your bank wants to check that it is you"
      footer={
        <>
          <Button onPress={onConfirm} isPending={isConfirming} pendingLabel="Confirming">
            Confirm
          </Button>
          <Button variant="secondary" onPress={onDecline} isDisabled={isConfirming}>
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
        {problem !== undefined && (
          <Alert tone="danger" live="assertive">
            {problem}
          </Alert>
        )}
      </div>
    </Dialog>
  )
}
