import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { BookingProblem } from './BookingProblem.tsx'
import { InView } from './InView.tsx'
import type { Hold } from './use-hold.ts'

/** In the place of the hold's clock once it has run out, beside a form that keeps what was typed. */
export function HoldEnded({
  again,
  otherTimesPath,
  onHeld,
}: {
  again: Hold
  otherTimesPath: string
  /** It is held again by the button here. */
  onHeld(): void
}) {
  const otherTime = (
    <ButtonLink to={otherTimesPath} size="small" variant="secondary">
      Choose another time
    </ButtonLink>
  )
  return (
    <>
      <Alert
        tone="warning"
        live="polite"
        title="The time is not held any more"
        actions={
          <>
            <Button
              size="small"
              isPending={again.isPending}
              pendingLabel="Holding the time for you"
              onPress={() => void again.hold().then((held) => held && onHeld())}
            >
              Hold it again
            </Button>
            {again.error === undefined && otherTime}
          </>
        }
      >
        We held it for you, but it was not paid in time. Nothing was charged, and what you have typed is still
        here.
      </Alert>
      {again.error !== undefined && (
        <InView>
          <BookingProblem error={again.error} otherTimesPath={otherTimesPath} />
        </InView>
      )}
    </>
  )
}
