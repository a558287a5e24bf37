import { sessionPath } from '#web/lib/session-paths.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'

type Props = {
  appointmentId: string
  /** Left out where another time is chosen on the same screen. */
  otherTimesPath?: string | undefined
  live: 'polite' | 'assertive'
}

/** That the client has booked this time themselves, with the way to the session. */
export function AlreadyBooked({ appointmentId, otherTimesPath, live }: Props) {
  return (
    <Alert
      tone="info"
      live={live}
      title="You have already booked this session"
      actions={
        <>
          <ButtonLink to={sessionPath(appointmentId)} size="small">
            See your session
          </ButtonLink>
          {otherTimesPath && (
            <ButtonLink to={otherTimesPath} size="small" variant="secondary">
              Choose another time
            </ButtonLink>
          )}
        </>
      }
    >
      It is yours. There is nothing left to do here, and nothing more was charged.
    </Alert>
  )
}
