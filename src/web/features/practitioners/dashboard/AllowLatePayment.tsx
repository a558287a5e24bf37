import type { TherapistSession } from '#contract/bookings/practitioner-sessions.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import { ActionDialog } from '#web/ui/ActionDialog.tsx'
import { dashboardRoot } from './dashboard-queries.ts'

type Props = {
  session: TherapistSession
  onClose(): void
  onAllowed(session: TherapistSession): void
}

/** Asks before an unpaid session is kept until it starts. */
export function AllowLatePayment({ session, onClose, onAllowed }: Props) {
  const allow = useAction('POST /therapist/sessions/{appointment_id}/allow-late-payment', {
    invalidates: [dashboardRoot()],
  })
  const { client, pay_by, starts_at } = session
  const zone = viewerZone()
  return (
    <ActionDialog
      onClose={onClose}
      title="Let them pay until it starts?"
      confirmLabel="Keep the session"
      cancelLabel="Go back"
      failureTitle="Nothing has changed"
      onConfirm={async () => {
        await allow.send({ params: { appointment_id: session.appointment_id } })
        onAllowed(session)
      }}
    >
      <p>
        {`${client.name}, ${formatDayAndTime(starts_at, zone)}. The payment did not go through${pay_by ? `, and the hour would become free ${formatDayAndTime(pay_by, zone)}` : ''}. If you keep it, they can pay until it starts.`}
      </p>
      <p>If they do not pay, the session is cancelled when it starts, and you are not paid for it.</p>
    </ActionDialog>
  )
}
