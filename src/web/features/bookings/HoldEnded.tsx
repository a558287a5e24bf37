import { useEffect, useRef } from 'react'
import { ApiError } from '#web/lib/api-error.ts'
import { focusLate } from '#web/lib/focus-late.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { BookingProblem } from './BookingProblem.tsx'
import { InView } from './InView.tsx'
import type { Hold } from './use-hold.ts'

/** In the place of the hold's clock once it has run out, beside a form that keeps what was typed. */
export function HoldEnded({
  again,
  bookPath,
  otherTimesPath,
  onHeld,
}: {
  again: Hold
  /** Where the booking is reviewed at its present price. */
  bookPath: string
  otherTimesPath: string
  /** It is held again by the button here. */
  onHeld(): void
}) {
  // Holding it again would be refused again: the price on this screen is the one of the hold that ended.
  const isOtherPrice = again.error instanceof ApiError && again.error.code === 'price_changed'
  const problem = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The button that was pressed has left.
    if (isOtherPrice) focusLate(problem.current)
  }, [isOtherPrice])
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
            {!isOtherPrice && (
              <Button
                size="small"
                isPending={again.isPending}
                pendingLabel="Holding the time for you"
                onPress={() => void again.hold().then((held) => held && onHeld())}
              >
                Hold it again
              </Button>
            )}
            {again.error === undefined && otherTime}
          </>
        }
      >
        We held it for you, but it was not paid in time. Nothing was charged, and what you have typed is still
        here.
      </Alert>
      {again.error !== undefined && (
        <InView>
          <div ref={problem} tabIndex={-1}>
            <BookingProblem
              error={again.error}
              otherTimesPath={otherTimesPath}
              actions={
                isOtherPrice && (
                  <ButtonLink to={bookPath} size="small">
                    See the new price
                  </ButtonLink>
                )
              }
            />
          </div>
        </InView>
      )}
    </>
  )
}
