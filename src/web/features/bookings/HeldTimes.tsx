import { useState } from 'react'
import { bookTherapistPath } from '#web/lib/booking-path.ts'
import { formatDayAndTime, formatTime, viewerZone } from '#web/lib/time.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { LiveRegion } from '#web/ui/LiveRegion.tsx'
import { QueryErrorAlert } from '#web/ui/QueryErrorAlert.tsx'
import { Section } from '#web/ui/Section.tsx'
import { useFailed } from '#web/ui/use-failed.ts'
import { useLettingGo } from './OtherHolds.tsx'
import { type HeldTime, useHeldTimes } from './use-held-times.ts'

/** The times that are held for the client until they pay, each to pay for or release. */
export function HeldTimes() {
  const { times, query } = useHeldTimes()
  const failed = useFailed(query)
  const [released, setReleased] = useState<string>()
  return (
    <>
      <LiveRegion focusOn={released} className="max-w-3xl">
        {released && (
          <Alert tone="success" title="The time is released" className="mb-6">
            Nothing was charged.
          </Alert>
        )}
      </LiveRegion>
      {failed && (
        <QueryErrorAlert
          query={failed}
          tone="warning"
          title="Times held for you did not load"
          live="polite"
          className="mb-6 max-w-3xl"
        />
      )}
      {times.length > 0 && (
        <Section title="Held for you" size="2xl" className="mb-8 flex max-w-3xl flex-col gap-4">
          <ul className="flex flex-col gap-4">
            {times.map((time) => (
              <Held
                key={time.session.appointment_id}
                time={time}
                onReleased={() => setReleased(time.session.appointment_id)}
              />
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}

function Held({ time: { session, request }, onReleased }: { time: HeldTime; onReleased(): void }) {
  const letting = useLettingGo(session.appointment_id, onReleased)
  const zone = viewerZone()
  const { full_name } = session.practitioner
  return (
    <Card as="li" className="flex flex-col gap-4">
      <div>
        <h3 className="text-xl">{full_name}</h3>
        <p>{formatDayAndTime(session.starts_at, zone)}</p>
        <p className="text-soft">
          Held for you until {formatTime(session.hold_expires_at, zone)}. It is not paid yet.
        </p>
      </div>
      <div className="flex flex-wrap gap-3">
        <ButtonLink to={bookTherapistPath(request)} size="small">
          Pay<span className="sr-only"> for the session with {full_name}</span>
        </ButtonLink>
        <Button size="small" variant="secondary" onPress={letting.start} isPending={letting.isPending}>
          <span>
            Release<span className="sr-only"> the time with {full_name}</span>
          </span>
        </Button>
      </div>
      {letting.error && (
        <p role="alert" className="text-danger">
          {letting.error}
        </p>
      )}
    </Card>
  )
}
