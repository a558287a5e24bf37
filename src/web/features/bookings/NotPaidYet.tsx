import type { AppointmentDetail } from '#contract/bookings/bookings.ts'
import { payPath } from '#web/lib/series-paths.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { useReservedLabel } from './use-reserved-label.ts'

/** When the money of a reserved session is taken, and what its client can do where it is not. */
export function NotPaidYet({ session }: { session: AppointmentDetail }) {
  const { words, isDue, lacksCard } = useReservedLabel(session)
  return (
    <Alert
      tone={isDue || lacksCard ? 'warning' : 'info'}
      title="Reserved for you"
      actions={
        (isDue || lacksCard) && (
          <ButtonLink to={isDue ? payPath(session.appointment_id) : '/my-sessions'} size="small">
            {isDue ? 'Pay now' : 'Choose a card'}
          </ButtonLink>
        )
      }
    >
      {words}
    </Alert>
  )
}
