import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'

export type ConfirmDialogProps = {
  isOpen?: boolean
  onClose(): void
  title: string
  /** What happens next, what it costs, whether it can be undone. */
  children: ReactNode
  /** A verb: 'Cancel session'. Undefined while there is nothing to confirm: the dialog can only be closed then. */
  confirmLabel: string | undefined
  /** The way back: 'Keep session'. */
  cancelLabel: string
  onConfirm(): void
  isPending?: boolean
  isDangerous?: boolean
}

/** Asks before something that matters. It stays open while the answer is pending; the caller closes it. */
export function ConfirmDialog({
  isOpen,
  onClose,
  title,
  children,
  confirmLabel,
  cancelLabel,
  onConfirm,
  isPending,
  isDangerous,
}: ConfirmDialogProps) {
  return (
    <Dialog
      role="alertdialog"
      isOpen={isOpen}
      onClose={onClose}
      title={title}
      isStubborn={isPending}
      footer={
        <>
          {confirmLabel !== undefined && (
            <Button variant={isDangerous ? 'danger' : 'primary'} onPress={onConfirm} isPending={isPending}>
              {confirmLabel}
            </Button>
          )}
          <Button variant="secondary" onPress={onClose} isDisabled={isPending}>
            {cancelLabel}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
