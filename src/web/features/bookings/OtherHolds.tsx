import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { bookTherapistPath } from '#web/lib/booking-path.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { serverNow } from '#web/lib/clock.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { TextLink } from '#web/ui/Link.tsx'
import { appointmentQuery } from './booking-queries.ts'
import { forgetHold, type KeptHold, readHolds } from './kept-holds.ts'

/** The other holds of this tab, to pay for or release. A client may have two holds at once. */
export function OtherHolds({ onLetGo }: { onLetGo(): void }) {
  const [holds] = useState(() => readHolds())
  return (
    <div className="mt-1 flex flex-col gap-2 text-sm">
      <ul className="flex flex-col gap-2 empty:hidden">
        {holds.map((hold) => (
          <OtherHold key={hold.sessionId} hold={hold} onLetGo={onLetGo} />
        ))}
      </ul>
      <p>A time that is not paid for is released after 10 minutes.</p>
    </div>
  )
}

function OtherHold({ hold, onLetGo }: { hold: KeptHold; onLetGo(): void }) {
  const { data } = useQuery(appointmentQuery(hold.sessionId))
  const letting = useLettingGo(hold.sessionId, onLetGo)
  const isRunning =
    data?.status === 'pending' && data.hold_expires_at && Date.parse(data.hold_expires_at) > serverNow()
  if (!isRunning || !data.starts_at) return null
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <span className="grow">
        <TextLink to={bookTherapistPath(hold.request)}>{data.practitioner.full_name}</TextLink>,{' '}
        {formatDayAndTime(data.starts_at, viewerZone())}
      </span>
      <Button size="small" variant="secondary" onPress={letting.start} isPending={letting.isPending}>
        <span>
          Release<span className="sr-only"> the time with {data.practitioner.full_name}</span>
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
  const { isPending, error, start } = useAction('POST /appointment/cancel-session', {
    onDone() {
      forgetHold(sessionId)
      onLetGo()
    },
  })
  return {
    isPending,
    error: error === undefined ? undefined : messageOf(error),
    start: () => start({ body: { appointment_id: sessionId } }),
  }
}
