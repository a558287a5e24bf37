import { useState } from 'react'
import type { TherapistSession } from '#contract/bookings/practitioner-sessions.ts'
import { limitsOf } from '../lib/limits.ts'
import { useAction } from '../lib/use-action.ts'
import { ActionDialog } from './ActionDialog.tsx'
import { ErrorAlert } from './ErrorAlert.tsx'
import { TextArea } from './TextArea.tsx'

type Props = {
  appointmentId: string
  clientName: string
  onClose(): void
  onDone?(session: TherapistSession): void
}

/** Asks before a practitioner ends a session for technical reasons: what the client gets back and hears. */
export function TechnicalFailure({ appointmentId, clientName, onClose, onDone }: Props) {
  const [reason, setReason] = useState('')
  const fail = useAction('POST /therapist/sessions/{appointment_id}/technical-failure', { onDone })
  return (
    <ActionDialog
      onClose={onClose}
      title="Cancel because it did not work?"
      confirmLabel="Cancel and refund"
      cancelLabel="Keep session"
      isDangerous
      onConfirm={() =>
        fail.send({ params: { appointment_id: appointmentId }, body: { reason: reason.trim() || null } })
      }
      renderFailure={(error) => (
        <ErrorAlert title="It may not have been cancelled" error={error}>
          {' '}
          It is safe to press again: it is cancelled and refunded only once.
        </ErrorAlert>
      )}
    >
      <p>
        {clientName} gets everything back and is told by email. It does not count as missed, and you are not
        paid for it. This cannot be undone.
      </p>
      <p>Could you finish by phone instead? Agree it in the chat; the session then stays as it is.</p>
      <TextArea
        label="A message to your client"
        isOptional
        description="They can read it under their past sessions. It is not in the email."
        rows={2}
        maxLength={
          limitsOf('POST /therapist/sessions/{appointment_id}/technical-failure', 'reason').maxLength?.value
        }
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </ActionDialog>
  )
}
