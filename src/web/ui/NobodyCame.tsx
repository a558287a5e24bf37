import type { AppointmentDetail } from '#contract/bookings/bookings.ts'
import { useAction } from '../lib/use-action.ts'
import { ActionDialog } from './ActionDialog.tsx'
import { ErrorAlert } from './ErrorAlert.tsx'

type Props = {
  appointmentId: string
  practitionerName: string
  onClose(): void
  onDone(session: AppointmentDetail): void
}

/** Asks before a client ends a session to which the practitioner did not come. */
export function NobodyCame({ appointmentId, practitionerName, onClose, onDone }: Props) {
  const report = useAction('POST /appointment/{appointment_id}/nobody-came', { onDone })
  return (
    <ActionDialog
      onClose={onClose}
      title="End the session and get your money back?"
      confirmLabel="End it and refund me"
      cancelLabel="Wait a little longer"
      onConfirm={() => report.send({ params: { appointment_id: appointmentId } })}
      renderFailure={(error) => (
        <ErrorAlert title="It may not have been ended" error={error}>
          {' '}
          It is safe to press again: it is refunded only once.
        </ErrorAlert>
      )}
    >
      <p>
        We are sorry that you waited. {practitionerName} has not come, so the session ends now and you get
        back everything you paid, to the card you paid with.
      </p>
      <p>We tell {practitionerName}, and you can book another time or someone else.</p>
    </ActionDialog>
  )
}
