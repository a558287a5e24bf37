import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PractitionerFile } from '#contract/back-office/back-office.ts'
import { fieldOf, limitedField, useForm } from '#web/lib/form.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { aheadQuery, decisionKeys } from './admin-queries.ts'
import { outcomeLabel } from './admin-labels.ts'
import { Touched } from './Touched.tsx'
import { reasonRule } from './ReasonDialog.tsx'

/** Asks for a reason and a confirmation, shows what is touched, and closes a profile for good. */
export function CloseDialog({ file, onClose }: { file: PractitionerFile; onClose(): void }) {
  const id = file.practitioner_id
  // As it was when the question was asked.
  const [since] = useState(file.status_since)
  const { data: ahead, error } = useQuery(aheadQuery(id))
  const form = useForm({ defaultValues: { reason: '', isSure: false } })

  const close = useAction('POST /admin/practitioners/{id}/close', {
    invalidates: decisionKeys(id),
    onDone: ({ sessions }) => showToast(`Closed. They get an email. ${outcomeLabel(sessions)}`),
  })

  return (
    <FormDialog
      form={form}
      title="Close this profile for good?"
      submitLabel="Close for good"
      pendingLabel="Closing"
      variant="danger"
      failureTitle="Nothing was changed"
      onSubmit={({ reason }) =>
        close.send({ params: { id }, body: { reason: reason.trim(), status_since: since } })
      }
      onClose={onClose}
    >
      <p>
        For a practitioner who has left or died. Clients can no longer find, book or message them, and
        sessions ahead are cancelled and refunded at once. To hide a profile for a while, suspend it instead.
      </p>
      <Touched ahead={ahead} error={error} />
      <TextArea
        label="Reason"
        description="It is emailed to the practitioner exactly as you write it. Clients never see it."
        {...limitedField(form, 'POST /admin/practitioners/{id}/close', 'reason', reasonRule)}
      />
      <Checkbox {...fieldOf(form, 'isSure', { validate: (isSure) => isSure || 'Please confirm it.' })}>
        I know that this cannot be undone.
      </Checkbox>
    </FormDialog>
  )
}
