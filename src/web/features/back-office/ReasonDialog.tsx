import { fieldOf, useForm } from '#web/lib/form.ts'
import type { limitsOf } from '#web/lib/limits.ts'
import { FormDialog, type FormDialogProps } from '#web/ui/FormDialog.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'

/** What a reason has to look like. */
export const reasonRule = { validate: (text: string) => text.trim() !== '' || 'Give a reason.' }

type Props = Pick<FormDialogProps, 'title' | 'variant' | 'pendingLabel' | 'failureTitle' | 'onClose'> & {
  lead: string
  label?: string
  description: string
  confirmLabel: string
  /** The contract's, of the call that carries it out. */
  limits: ReturnType<typeof limitsOf>
  onConfirm(reason: string): Promise<unknown>
}

/** Asks the admin for the reason of a decision, and carries it out. If that fails, it stays open and keeps the text. */
export function ReasonDialog({
  lead,
  label = 'Reason',
  description,
  confirmLabel,
  limits,
  onConfirm,
  ...dialog
}: Props) {
  const form = useForm({ defaultValues: { reason: '' } })
  return (
    <FormDialog
      variant="danger"
      {...dialog}
      form={form}
      submitLabel={confirmLabel}
      onSubmit={({ reason }) => onConfirm(reason.trim())}
    >
      <p>{lead}</p>
      <TextArea
        label={label}
        description={description}
        maxLength={limits.maxLength?.value}
        {...fieldOf(form, 'reason', { ...limits, ...reasonRule })}
      />
    </FormDialog>
  )
}
