import type { AppointmentDetail } from '#contract/bookings/bookings.ts'
import { payPath } from '#web/lib/series-paths.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { useReservedLabel } from './use-reserved-label.ts'

type Props = {
  session: AppointmentDetail
  /** It stands on the page on which a card is chosen. */
  isListed?: boolean
}

/** When the money of a reserved session is taken, and what its client can do where it is not. */
export function NotPaidYet({ session, isListed = false }: Props) {
  const { words, isDue, lacksCard } = useReservedLabel(session)
  return (
    <Alert
      tone={isDue || lacksCard ? 'warning' : 'info'}
      title="Reserved for you"
      actions={
        (isDue || (lacksCard && !isListed)) && (
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
