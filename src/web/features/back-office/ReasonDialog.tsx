import { fieldOf, useForm } from '#web/lib/form.ts'
import type { limitsOf } from '#web/lib/limits.ts'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'

/** Asks the admin for the reason of a decision, and carries it out. If that fails, it stays open and keeps the text. */
export function ReasonDialog({
  title,
  lead,
  label = 'Reason',
  description,
  confirmLabel,
  limits,
  onConfirm,
  onClose,
}: {
  title: string
  lead: string
  label?: string
  description: string
  confirmLabel: string
  /** The contract's, of the call that carries it out. */
  limits: ReturnType<typeof limitsOf>
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
        maxLength={limits.maxLength?.value}
        {...fieldOf(form, 'reason', {
          ...limits,
          validate: (text) => text.trim() !== '' || 'Give a reason.',
        })}
      />
    </FormDialog>
  )
}
