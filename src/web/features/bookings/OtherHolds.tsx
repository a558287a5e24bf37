import { useQueryClient } from '@tanstack/react-query'
import { accountKey } from '#web/lib/account-key.ts'
import { bookTherapistPath } from '#web/lib/booking-path.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { TextLink } from '#web/ui/Link.tsx'
import { showIfChangedElsewhere } from '#web/ui/Toast.tsx'
import { heldQuery } from './booking-queries.ts'
import { forgetHold } from './kept-holds.ts'
import { holdsQueue } from './use-hold.ts'
import { type HeldTime, useHeldTimes } from './use-held-times.ts'

type Props = {
  /** Only the holds in this time. */
  during?: { startsAt: string; endsAt: string }
  onLetGo(): void
}

/** The other holds of the client, to pay for or release. A client may have two at once. */
export function OtherHolds({ during, onLetGo }: Props) {
  const held = useHeldTimes()
  const times = held.times.filter(({ session }) => !during || overlaps(session, during))
  if (during && times.length === 0) return null
  return (
    <div className="mt-1 flex flex-col gap-2 text-sm">
      <ul className="flex flex-col gap-2 empty:hidden">
        {times.map((time) => (
          <OtherHold key={time.session.appointment_id} time={time} onLetGo={onLetGo} />
        ))}
      </ul>
      <p>A time that is not paid for is released after 10 minutes.</p>
    </div>
  )
}

const overlaps = (
  { starts_at, ends_at }: HeldTime['session'],
  { startsAt, endsAt }: { startsAt: string; endsAt: string },
) => Date.parse(starts_at) < Date.parse(endsAt) && Date.parse(ends_at) > Date.parse(startsAt)

function OtherHold({ time: { session, request }, onLetGo }: { time: HeldTime; onLetGo(): void }) {
  const letting = useLettingGo(session.appointment_id, onLetGo)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <span className="grow">
        <TextLink to={bookTherapistPath(request)}>{session.practitioner.full_name}</TextLink>,{' '}
        {formatDayAndTime(session.starts_at, viewerZone())}
      </span>
      <Button size="small" variant="secondary" onPress={letting.start} isPending={letting.isPending}>
        <span>
          Release<span className="sr-only"> the time with {session.practitioner.full_name}</span>
        </span>
      </Button>
      {letting.error && (
        <p role="alert" className="w-full text-danger">
          {letting.error}
        </p>
      )}
    </li>
  )
}

/** Releases a hold. `error` is a message for the client. */
export function useLettingGo(sessionId: string, onLetGo: () => void) {
  const client = useQueryClient()
  const { isPending, error, start } = useAction('POST /appointment/cancel-session', {
    onDone() {
      forgetHold(sessionId)
      void client.invalidateQueries({ queryKey: heldQuery().queryKey })
      onLetGo()
    },
    onRefused(error) {
      showIfChangedElsewhere(error)
      void client.invalidateQueries({ queryKey: accountKey('bookings') })
    },
    queue: holdsQueue,
  })
  return {
    isPending,
    error: error === undefined ? undefined : messageOf(error),
    start: () => start({ body: { appointment_id: sessionId, hold_only: true } }),
  }
}
