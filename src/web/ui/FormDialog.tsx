import { type ReactNode, useId } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { showApiError } from '../lib/form.ts'
import { Button, type ButtonProps } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { Alert } from './Alert.tsx'

type Props<Values extends FieldValues> = {
  form: UseFormReturn<Values>
  title: string
  /** A verb: 'Send report'. */
  submitLabel: string
  pendingLabel?: string
  variant?: ButtonProps['variant']
  /** The way back. */
  backLabel?: string
  /** What has not happened when it fails: 'Your report is not sent'. */
  failureTitle?: string
  /** Sends it, and closes the dialog once that is done. What it throws is shown in the form, with what was typed. */
  onSubmit(values: Values): Promise<void>
  onClose(): void
  children: ReactNode
}

/** A short form in a dialog, which only its own buttons close while it is sent. Shown for as long as it is rendered. */
export function FormDialog<Values extends FieldValues>({
  form,
  title,
  submitLabel,
  pendingLabel,
  variant,
  backLabel = 'Go back',
  failureTitle,
  onSubmit,
  onClose,
  children,
}: Props<Values>) {
  const formId = useId()
  const { errors, isSubmitting } = form.formState
  const send = form.handleSubmit(async (values) => {
    try {
      await onSubmit(values)
    } catch (error) {
      showApiError(form, error)
    }
  })
  return (
    <Dialog
      isOpen
      isStubborn={isSubmitting}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
      title={title}
      footer={
        <>
          <Button
            type="submit"
            form={formId}
            variant={variant}
            isPending={isSubmitting}
            pendingLabel={pendingLabel}
          >
            {submitLabel}
          </Button>
          <Button variant="secondary" onPress={onClose} isDisabled={isSubmitting}>
            {backLabel}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        method="post"
        noValidate
        onSubmit={(event) => void send(event)}
        className="flex flex-col gap-5"
      >
        {errors.root?.server && (
          <Alert tone="danger" live="assertive" title={failureTitle}>
            {errors.root.server.message}
          </Alert>
        )}
        {children}
      </form>
    </Dialog>
  )
}
