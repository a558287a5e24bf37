import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '#web/lib/api-error.ts'
import { serverNow } from '#web/lib/clock.ts'
import { viewerZone } from '#web/lib/time.ts'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink, TextLink } from '#web/ui/Link.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { AlreadyBooked } from './AlreadyBooked.tsx'
import { type BookingRequest, otherTimesPath } from './booking-address.ts'
import { changeUntilLabel } from './booking-labels.ts'
import { upcomingQuery } from './booking-queries.ts'
import { BookingProblem } from './BookingProblem.tsx'
import { OtherHolds } from './OtherHolds.tsx'
import type { BookingView } from './use-booking.ts'

type Props = {
  request: BookingRequest
  view: Extract<BookingView, { stage: 'review' }>
  error: unknown
  isHolding: boolean
  /** The field for a referral code. */
  code: ReactNode
  onGoOn(): void
  /** One of too many holds was released. */
  onLetGo(): void
}

/** Before anything is held: the terms, and the way on. */
export function ReviewPanel({ request, view, error, isHolding, code, onGoOn, onLetGo }: Props) {
  const { preview, facts, hasEnded, isChecking } = view
  const errorCode = error instanceof ApiError ? error.code : undefined
  const isTaken = !preview.free && !isChecking
  return (
    <>
      {!isTaken && (
        <>
          {code}
          <ChangeTerms until={preview.change_until} startsAt={facts.startsAt} />
        </>
      )}
      {error === undefined && hasEnded && !isTaken && (
        <Alert tone="warning" live="polite" title="We are no longer holding this time">
          It was not paid in time, or you chose another time instead. Nothing was charged. It is still free,
          so you can go on.
        </Alert>
      )}
      {error !== undefined && (
        <BookingProblem
          error={error}
          otherTimesPath={otherTimesPath(request.practitionerId)}
          actions={
            errorCode === 'too_many_holds' ? (
              <OtherHolds onLetGo={onLetGo} />
            ) : errorCode === 'client_busy' ? (
              <OtherHolds during={facts} onLetGo={onLetGo} />
            ) : undefined
          }
        />
      )}
      {error === undefined && isTaken && <NotFree request={request} startsAt={facts.startsAt} />}
      {!isTaken && (
        <div className="flex flex-col gap-2">
          <Button
            fullWidth
            // Where another session stands in the way, another time is the way on.
            variant={errorCode === 'client_busy' ? 'secondary' : 'primary'}
            onPress={onGoOn}
            isPending={isHolding}
            pendingLabel="Holding the time for you"
          >
            Continue to payment
          </Button>
          <p className="text-center text-sm text-soft">
            Nothing is charged yet. We hold the time for you for 10 minutes.
          </p>
        </div>
      )}
      {!isTaken && error === undefined && (
        <p className="text-center text-sm">
          <TextLink to={otherTimesPath(request.practitionerId)}>Choose another time</TextLink>
        </p>
      )}
    </>
  )
}

/** Why the time is not free: the client has booked it themselves, or another reason. */
function NotFree({ request, startsAt }: { request: BookingRequest; startsAt: string }) {
  const { data: sessions, isPending } = useQuery(upcomingQuery())
  if (isPending) return null
  const own = sessions?.find(
    ({ practitioner_id, starts_at }) =>
      practitioner_id === request.practitionerId && Date.parse(starts_at ?? '') === Date.parse(startsAt),
  )
  const path = otherTimesPath(request.practitionerId)
  if (own) return <AlreadyBooked appointmentId={own.appointment_id} otherTimesPath={path} live="polite" />
  return (
    <Alert
      tone="warning"
      live="polite"
      title="This time is not free"
      actions={
        <ButtonLink to={path} size="small">
          Choose another time
        </ButtonLink>
      }
    >
      {Date.parse(startsAt) < serverNow()
        ? 'It is in the past. Nothing was charged.'
        : 'Someone else may have booked it, or it starts within the hour. Nothing was charged.'}
    </Alert>
  )
}

/** Until when a session that is booked now could be changed, in words, before the click. */
export function ChangeTerms({ until, startsAt }: { until: string; startsAt: string }) {
  const words = changeUntilLabel(until, startsAt, viewerZone())
  return (
    <p className="rounded-lg bg-action-soft p-4 text-sm text-on-action-soft">
      You can move or cancel it free of charge <strong>{words}</strong>, and get all your money back.
      {words !== 'until it starts' && ' After that it cannot be changed or refunded.'}
    </p>
  )
}
