import { useEffect, useRef } from 'react'
import type { AppointmentDetail } from '#contract/bookings/bookings.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { focusLate } from '#web/lib/focus-late.ts'
import { formatTime, viewerZone } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { Countdown } from '#web/ui/Countdown.tsx'
import { appointmentQuery } from './booking-queries.ts'

type Props = {
  session: Pick<AppointmentDetail, 'session_id' | 'hold_expires_at' | 'hold_extendable'>
  onEnd?(): void
}

/** How long the time stays the client's, with ten minutes more for the asking, and what leaving means. */
export function HoldClock({ session, onEnd }: Props) {
  const { session_id, hold_extendable } = session
  const until = session.hold_expires_at ?? ''
  const box = useRef<HTMLDivElement>(null)
  const extension = useAction('POST /appointment/{appointment_id}/extend-hold', {
    invalidates: [appointmentQuery(session_id).queryKey],
  })
  const isExtended = extension.isDone && !hold_extendable

  // The button that was pressed has left.
  useEffect(() => {
    if (isExtended) focusLate(box.current)
  }, [isExtended])

  return (
    <div ref={box} tabIndex={-1} className="rounded-lg border border-line bg-ember-soft p-4">
      <Countdown until={until} label="Held for you for" onEnd={onEnd} className="text-ember-text" />
      <p className="mt-0.5 text-sm">
        If you leave, you can come back to it until {formatTime(until, viewerZone())}.
      </p>
      {hold_extendable && (
        <div className="mt-3">
          <Button
            variant="secondary"
            isPending={extension.isPending}
            pendingLabel="Holding it for longer"
            onPress={() => extension.start({ params: { appointment_id: session_id } })}
          >
            Hold it 10 minutes longer
          </Button>
        </div>
      )}
      {extension.error !== undefined && (
        <p role="alert" className="mt-2 text-sm text-danger">
          {messageOf(extension.error)}
        </p>
      )}
      <output className="sr-only">{isExtended && 'It is held for 10 minutes longer.'}</output>
    </div>
  )
}
