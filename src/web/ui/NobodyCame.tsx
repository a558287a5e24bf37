import type { AppointmentDetail } from '#contract/bookings/bookings.ts'
import { useAction } from '../lib/use-action.ts'
import { ActionDialog } from './ActionDialog.tsx'
import { ErrorAlert } from './ErrorAlert.tsx'

type Props = {
  appointmentId: string
  practitionerName: string
  /** The time of the session has passed, or its room is closed. */
  isOver: boolean
  onClose(): void
  onDone(session: AppointmentDetail): void
}

/** Asks before a client has a session refunded to which the practitioner did not come. One that still runs ends by it. */
export function NobodyCame({ appointmentId, practitionerName, isOver, onClose, onDone }: Props) {
  const report = useAction('POST /appointment/{appointment_id}/nobody-came', { onDone })
  return (
    <ActionDialog
      onClose={onClose}
      title={isOver ? 'Get your money back?' : 'End the session and get your money back?'}
      confirmLabel={isOver ? 'Refund me' : 'End it and refund me'}
      cancelLabel={isOver ? 'Not now' : 'Wait a little longer'}
      onConfirm={() => report.send({ params: { appointment_id: appointmentId } })}
      renderFailure={(error) => (
        <ErrorAlert
          title={isOver ? 'It may not have been refunded' : 'It may not have been ended'}
          error={error}
        >
          {' '}
          It is safe to press again: it is refunded only once.
        </ErrorAlert>
      )}
    >
      <p>
        We are sorry that you waited.{' '}
        {isOver
          ? `${practitionerName} did not come, so you get back`
          : `${practitionerName} has not come, so the session ends now and you get back`}{' '}
        everything you paid, to the card you paid with.
      </p>
      <p>We tell {practitionerName}, and you can book another time or someone else.</p>
    </ActionDialog>
  )
}
