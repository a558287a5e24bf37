import type { TherapistSession } from '#contract/bookings/practitioner-sessions.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import { ActionDialog } from '#web/ui/ActionDialog.tsx'
import { dashboardRoot } from './dashboard-queries.ts'
import { attendanceLabel } from './session-labels.ts'

type Props = {
  session: TherapistSession
  as: 'completed' | 'no_show'
  onClose(): void
  onSettled(session: TherapistSession): void
}

const words = {
  completed: {
    title: 'Mark as completed?',
    confirm: 'Mark as completed',
    means: 'It took place. Your client can now review it. Nothing changes about the money.',
  },
  no_show: {
    title: 'Did the client not come?',
    confirm: 'Client did not come',
    means:
      'Your client is told. They get nothing back and cannot review the session, and they can dispute it for 14 days: then we decide. The fee is paid out after that.',
  },
} as const

/** Says what it means before a practitioner says what became of a session. */
export function RecordOutcome({ session, as, onClose, onSettled }: Props) {
  const zone = viewerZone()
  const { title, confirm, means } = words[as]

  const record = useAction(
    as === 'completed'
      ? 'POST /therapist/sessions/{appointment_id}/complete'
      : 'POST /therapist/sessions/{appointment_id}/no-show',
    { invalidates: [dashboardRoot()], onDone: onSettled },
  )

  return (
    <ActionDialog
      onClose={onClose}
      title={title}
      confirmLabel={confirm}
      cancelLabel="Leave it as it is"
      onConfirm={() => record.send({ params: { appointment_id: session.appointment_id } })}
      failureTitle="It was not recorded"
    >
      <p className="font-semibold">
        {session.client.name}, {formatDayAndTime(session.starts_at, zone)}
      </p>
      <p>{means}</p>
      {session.attendance && (
        <p className="rounded-lg bg-sunken p-4">
          {attendanceLabel(session.attendance, session.client.name, zone)}
        </p>
      )}
      {session.status === 'no_show' && (
        <p>This is final: afterwards it can no longer be recorded that your client did not come.</p>
      )}
      {session.settles_at && session.can[as === 'completed' ? 'no_show' : 'complete'] && (
        <p className="text-soft">You can correct it until {formatDayAndTime(session.settles_at, zone)}.</p>
      )}
    </ActionDialog>
  )
}
