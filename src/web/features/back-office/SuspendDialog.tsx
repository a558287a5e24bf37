import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import type { PractitionerFile, SessionsChoice, SuspensionCause } from '#contract/back-office/back-office.ts'
import { fieldOf, limitedField, useForm } from '#web/lib/form.ts'
import { useAction } from '#web/lib/use-action.ts'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { Select } from '#web/ui/Select.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { aheadQuery, decisionKeys } from './admin-queries.ts'
import { causeLabels, choiceFor, outcomeLabel } from './admin-labels.ts'
import { Touched } from './Touched.tsx'
import { reasonRule } from './ReasonDialog.tsx'

/** Empty: not chosen yet. */
type Values = { cause: SuspensionCause | ''; sessions: SessionsChoice | ''; reason: string }

const usualLabels: Record<SessionsChoice, string> = {
  cancel: 'For this, sessions are usually cancelled.',
  freeze: 'For this, sessions are usually frozen.',
}

/** Asks why, shows what a suspension touches, and lets an admin choose what becomes of sessions ahead. */
export function SuspendDialog({ file, onClose }: { file: PractitionerFile; onClose(): void }) {
  const id = file.practitioner_id
  // As it was when the question was asked.
  const [since] = useState(file.status_since)
  const { data: ahead, error } = useQuery(aheadQuery(id))
  const form = useForm<Values>({
    defaultValues: { cause: '', sessions: '', reason: '' },
  })
  const cause = useWatch({ control: form.control, name: 'cause' })
  const { error: missingChoice, ...choice } = fieldOf(form, 'sessions', {
    required: 'Choose what becomes of the sessions.',
  })

  const suspend = useAction('POST /admin/practitioners/{id}/suspend', {
    invalidates: decisionKeys(id),
    onDone: (answer) => showToast(`Suspended. They get an email. ${outcomeLabel(answer.sessions)}`),
  })

  return (
    <FormDialog
      form={form}
      title="Suspend this practitioner?"
      submitLabel="Suspend"
      pendingLabel="Suspending"
      variant="danger"
      failureTitle="Nothing was changed"
      onSubmit={({ cause, sessions, reason }) =>
        suspend.send({
          params: { id },
          body: {
            cause: cause || undefined,
            sessions: sessions || undefined,
            reason: reason.trim(),
            status_since: since,
          },
        })
      }
      onClose={onClose}
    >
      <p>
        From the next page they open, clients can no longer find, book or message them. You can lift it at any
        time.
      </p>
      <Touched ahead={ahead} error={error} />
      <Select
        label="What it is about"
        options={[
          { value: '', label: 'Choose one', isDisabled: true },
          ...Object.entries(causeLabels).map(([value, label]) => ({ value, label })),
        ]}
        {...fieldOf(form, 'cause', { required: 'Choose what it is about.' })}
      />
      <RadioGroup
        label="Sessions ahead"
        description={cause !== '' && usualLabels[choiceFor[cause]]}
        error={missingChoice}
        options={[
          {
            value: 'cancel',
            label: 'Cancel and refund them now',
            description: 'It cannot be undone. Clients get a full refund and suggestions of others to see.',
          },
          {
            value: 'freeze',
            label: 'Freeze them for up to 72 hours',
            description:
              'Clients are told that the session is being checked. It is cancelled and refunded two hours before its start at the latest, unless you lift the suspension.',
          },
        ]}
        inputProps={choice}
      />
      <TextArea
        label="Reason"
        description="It is emailed to the practitioner exactly as you write it. Clients never see it."
        {...limitedField(form, 'POST /admin/practitioners/{id}/suspend', 'reason', reasonRule)}
      />
    </FormDialog>
  )
}
