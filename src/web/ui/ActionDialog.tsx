import { type ReactNode } from 'react'
import { ErrorAlert } from './ErrorAlert.tsx'
import { useAction } from '../lib/use-action.ts'
import { ConfirmDialog, type ConfirmDialogProps } from './ConfirmDialog.tsx'

type Props = Omit<ConfirmDialogProps, 'isOpen' | 'isPending' | 'onConfirm'> & {
  /** Does it. Then the dialog closes. What it throws is said in the dialog, which stays open. */
  onConfirm(): Promise<unknown>
} & (
    | {
        /** What has not happened then: 'It is not withdrawn'. */
        failureTitle: string
      }
    | { renderFailure(error: unknown): ReactNode }
  )

/** Asks before something that matters, does it, and says so when it fails. Shown for as long as it is rendered. */
export function ActionDialog({ onConfirm, onClose, children, ...words }: Props) {
  const { isPending, error, start } = useAction(onConfirm, { onDone: onClose })
  return (
    <ConfirmDialog
      title={words.title}
      confirmLabel={words.confirmLabel}
      cancelLabel={words.cancelLabel}
      isDangerous={words.isDangerous}
      onClose={onClose}
      isPending={isPending}
      onConfirm={() => start()}
    >
      <div className="flex flex-col gap-4">
        {children}
        {'failureTitle' in words ? (
          <ErrorAlert title={words.failureTitle} error={error} />
        ) : (
          error !== undefined && words.renderFailure(error)
        )}
      </div>
    </ConfirmDialog>
  )
}
