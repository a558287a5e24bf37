import type { PractitionerFile } from '#contract/back-office/back-office.ts'
import { limitedField, useForm } from '#web/lib/form.ts'
import { useAction } from '#web/lib/use-action.ts'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { decisionKeys } from './admin-queries.ts'
import { reasonRule } from './ReasonDialog.tsx'

/** Changes the name of a practitioner who can no longer do it, once a document shows the new one. */
export function RenameDialog({ file, onClose }: { file: PractitionerFile; onClose(): void }) {
  const id = file.practitioner_id
  const form = useForm({ defaultValues: { first_name: '', last_name: '', reason: '' } })

  const rename = useAction('POST /admin/practitioners/{id}/rename', {
    invalidates: decisionKeys(id),
    onDone: ({ full_name }) => showToast(`Their name is now ${full_name}.`),
  })
  return (
    <FormDialog
      form={form}
      title="Change their name?"
      submitLabel="Change the name"
      pendingLabel="Changing"
      failureTitle="Nothing was changed"
      onSubmit={({ reason, ...name }) =>
        rename.send({ params: { id }, body: { ...name, reason: reason.trim() } })
      }
      onClose={onClose}
    >
      <p>
        {`${file.full_name} is the name that their documents were checked against. Change it once you have seen a document with the new one. Clients see the new name at once; what you have accepted stays accepted.`}
      </p>
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        <TextField
          label="First name"
          autoComplete="off"
          {...limitedField(form, 'POST /admin/practitioners/{id}/rename', 'first_name', {
            validate: (name) => name.trim() !== '' || 'Enter their first name.',
          })}
        />
        <TextField
          label="Last name"
          autoComplete="off"
          {...limitedField(form, 'POST /admin/practitioners/{id}/rename', 'last_name', {
            validate: (name) => name.trim() !== '' || 'Enter their last name.',
          })}
        />
      </div>
      <TextArea
        label="Reason"
        description="Which document you have seen. It is kept in the audit log alone."
        {...limitedField(form, 'POST /admin/practitioners/{id}/rename', 'reason', reasonRule)}
      />
    </FormDialog>
  )
}
