import { type ReactNode, useState } from 'react'
import { messageOf } from '../lib/api-error.ts'
import { ConfirmDialog, type ConfirmDialogProps } from './ConfirmDialog.tsx'
import { Alert } from './Alert.tsx'

type Props = Omit<ConfirmDialogProps, 'isOpen' | 'onOpenChange' | 'isPending' | 'onConfirm'> & {
  /** Does it, and closes the dialog once it is done. What it throws is said in the dialog, which stays open. */
  onConfirm(): Promise<void>
  onClose(): void
} & (
    | {
        /** What has not happened then: 'It is not withdrawn'. */
        failureTitle: string
      }
    | { renderFailure(error: unknown): ReactNode }
  )

/** Asks before something that matters, does it, and says so when it fails. Shown for as long as it is rendered. */
export function ActionDialog({ onConfirm, onClose, children, ...words }: Props) {
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<unknown>()

  async function confirm(): Promise<void> {
    setPending(true)
    setError(undefined)
    try {
      await onConfirm()
    } catch (thrown) {
      setError(thrown)
    } finally {
      setPending(false)
    }
  }

  return (
    <ConfirmDialog
      title={words.title}
      confirmLabel={words.confirmLabel}
      cancelLabel={words.cancelLabel}
      isDangerous={words.isDangerous}
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
      isPending={isPending}
      onConfirm={() => void confirm()}
    >
      <div className="flex flex-col gap-4">
        {children}
        {error !== undefined &&
          ('renderFailure' in words ? (
            words.renderFailure(error)
          ) : (
            <Alert tone="danger" live="assertive" title={words.failureTitle}>
              {messageOf(error)}
            </Alert>
          ))}
      </div>
    </ConfirmDialog>
  )
}
