import { useForm } from 'react-hook-form'
import { fieldOf } from '#web/lib/form.ts'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'

/** Asks the admin for the reason of a decision, and carries it out. If that fails, it stays open and keeps the text. */
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
  const form = useForm({ defaultValues: { reason: '' } })
  return (
    <FormDialog
      form={form}
      title={title}
      submitLabel={confirmLabel}
      variant="danger"
      onSubmit={async ({ reason }) => {
        await onConfirm(reason.trim())
        onClose()
      }}
      onClose={onClose}
    >
      <p>{lead}</p>
      <TextArea
        label={label}
        description={description}
        maxLength={2000}
        {...fieldOf(form, 'reason', {
          validate: (text) => text.trim() !== '' || 'Give a reason.',
        })}
      />
    </FormDialog>
  )
}
