import { useId, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { Form, type FormProps } from './Form.tsx'
import { Button, type ButtonProps } from './Button.tsx'
import { Dialog } from './Dialog.tsx'

export type FormDialogProps<Values extends FieldValues = FieldValues> = Pick<
  FormProps<Values>,
  'form' | 'failureTitle' | 'children'
> & {
  title: string
  /** A verb: 'Send report'. */
  submitLabel: string
  pendingLabel?: string
  variant?: ButtonProps['variant']
  /** The way back. */
  backLabel?: string
  /** Sends it. Then the dialog closes. What it throws is shown in the form, with what was typed. */
  onSubmit(values: Values): Promise<unknown>
  onClose(): void
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
}: FormDialogProps<Values>) {
  const formId = useId()
  const [isSending, setSending] = useState(false)
  const send = async (values: Values) => {
    setSending(true)
    try {
      await onSubmit(values)
      onClose()
    } finally {
      setSending(false)
    }
  }
  return (
    <Dialog
      isStubborn={isSending}
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button
            type="submit"
            form={formId}
            variant={variant}
            isPending={isSending}
            pendingLabel={pendingLabel}
          >
            {submitLabel}
          </Button>
          <Button variant="secondary" onPress={onClose} isDisabled={isSending}>
            {backLabel}
          </Button>
        </>
      }
    >
      <Form id={formId} form={form} onSubmit={send} failureTitle={failureTitle}>
        {children}
      </Form>
    </Dialog>
  )
}
