import type { TherapistSession } from '#contract/bookings/practitioner-sessions.ts'
import { useKeptText } from '#web/lib/kept-text.ts'
import { limitsOf } from '#web/lib/limits.ts'
import { formatPounds } from '#web/lib/money.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { isDefinite, useAction } from '#web/lib/use-action.ts'
import { ActionDialog } from '#web/ui/ActionDialog.tsx'
import { ErrorAlert } from '#web/ui/ErrorAlert.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { dashboardRoot } from './dashboard-queries.ts'
import { freedTimeLabel } from './session-labels.ts'

type Props = {
  session: TherapistSession
  onClose(): void
  onCancelled(session: TherapistSession): void
}

/** Asks before a practitioner cancels: what the client gets back and hears. What was written is kept when it fails. */
export function CancelOwnSession({ session, onClose, onCancelled }: Props) {
  const [reason, setReason] = useKeptText(`cancel-${session.appointment_id}`)
  const freedTime = freedTimeLabel(session)

  const cancel = useAction('POST /therapist/sessions/{appointment_id}/cancel', {
    invalidates: [dashboardRoot()],
    onDone() {
      setReason('')
      onCancelled(session)
    },
  })

  return (
    <ActionDialog
      onClose={onClose}
      title="Cancel this session?"
      confirmLabel="Cancel session"
      cancelLabel="Keep session"
      isDangerous
      onConfirm={() =>
        cancel.send({
          params: { appointment_id: session.appointment_id },
          body: { reason: reason.trim() || null, starts_at: session.starts_at },
        })
      }
      renderFailure={(error) =>
        isDefinite(error) ? (
          <ErrorAlert title="It was not cancelled" error={error} />
        ) : (
          <ErrorAlert title="It may not have been cancelled" error={error}>
            {' '}
            It is safe to press again: it is cancelled and refunded only once.
          </ErrorAlert>
        )
      }
    >
      <p>
        {session.client.name}, {formatDayAndTime(session.starts_at, viewerZone())}. We email them straight
        away
        {session.status === 'reserved'
          ? '. They have not paid yet, so nothing is charged.'
          : ' and refund everything they paid.'}{' '}
        This cannot be undone.
      </p>
      <p className="flex items-baseline justify-between gap-4 rounded-lg bg-warning-soft p-4">
        <span>You will not be paid for it</span>
        <strong className="font-serif text-2xl font-normal tabular-nums">{formatPounds(session.fee)}</strong>
      </p>
      <TextArea
        label="A message to your client"
        isOptional
        description="They can read it under their past sessions. It is not in the email."
        rows={2}
        maxLength={limitsOf('POST /therapist/sessions/{appointment_id}/cancel', 'reason').maxLength?.value}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      {freedTime && <p className="text-sm text-soft">{freedTime}</p>}
    </ActionDialog>
  )
}
