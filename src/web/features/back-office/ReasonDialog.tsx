import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { showApiError } from '#web/lib/form.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'

/** Asks for the reason of something that somebody will read, and does it. Stays open, with what was typed, when it fails. */
export function ReasonDialog({
  title,
  lead,
  label = 'Reason',
  description,
  confirmLabel,
  onConfirm,
  onClose,
}: {
  title: string
  lead: string
  label?: string
  description: string
  confirmLabel: string
  onConfirm(reason: string): Promise<unknown>
  onClose(): void
}) {
  const formId = useId()
  const form = useForm<{ reason: string }>({ defaultValues: { reason: '' } })
  const { errors, isSubmitting } = form.formState
  const send = form.handleSubmit(async ({ reason }) => {
    try {
      await onConfirm(reason.trim())
      onClose()
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
          <Button type="submit" form={formId} variant="danger" isPending={isSubmitting}>
            {confirmLabel}
          </Button>
          <Button variant="secondary" onPress={onClose} isDisabled={isSubmitting}>
            Go back
          </Button>
        </>
      }
    >
      <form
        id={formId}
        method="post"
        noValidate
        onSubmit={(event) => void send(event)}
        className="flex flex-col gap-4"
      >
        {errors.root?.server && (
          <Notice tone="danger" live="assertive">
            {errors.root.server.message}
          </Notice>
        )}
        <p>{lead}</p>
        <TextArea
          label={label}
          description={description}
          maxLength={2000}
          error={errors.reason?.message}
          {...form.register('reason', {
            validate: (text) => text.trim() !== '' || 'Give a reason.',
          })}
        />
      </form>
    </Dialog>
  )
}
