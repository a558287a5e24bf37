import type { ReactNode } from 'react'
import { limitedField, useForm } from '#web/lib/form.ts'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'

/** Asks the back office for something about a video order, in a few words. */
export function AskAboutVideo({
  title,
  label,
  description,
  failureTitle,
  onSend,
  onClose,
  children,
}: {
  title: string
  label: string
  description: string
  failureTitle: string
  onSend(note: string): Promise<unknown>
  onClose(): void
  children?: ReactNode
}) {
  const form = useForm({ defaultValues: { note: '' } })
  return (
    <FormDialog
      form={form}
      title={title}
      submitLabel="Send"
      pendingLabel="Sending"
      failureTitle={failureTitle}
      onSubmit={({ note }) => onSend(note.trim())}
      onClose={onClose}
    >
      {children}
      <TextArea
        label={label}
        description={description}
        rows={3}
        {...limitedField(form, 'POST /therapist/video-production/ask-change', 'note')}
      />
    </FormDialog>
  )
}
