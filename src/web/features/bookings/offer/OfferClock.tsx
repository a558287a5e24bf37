import { useEffect, useEffectEvent, useState } from 'react'
import { serverNow } from '#web/lib/clock.ts'
import { viewerZone } from '#web/lib/time.ts'
import { timeLeftLabel, untilLabel } from '#web/lib/until-label.ts'
import { whenItIs } from '#web/lib/when-it-is.ts'

/** Until when an offered hour is the client's, by the server's clock. It counts in minutes: it is to inform, and not to hurry. */
export function OfferClock({ until, onEnd }: { until: string; onEnd(): void }) {
  const end = Date.parse(until)
  const [now, setNow] = useState(serverNow)
  const ended = useEffectEvent(onEnd)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 5000)
    const stop = whenItIs(end + 500, ended)
    return () => {
      clearInterval(timer)
      stop()
    }
  }, [end])
  return (
    <div className="rounded-lg border border-line bg-ember-soft p-4">
      <p className="text-lg">
        Yours until <strong className="tabular-nums">{untilLabel(end, viewerZone(), now)}</strong>
      </p>
      <p className="text-sm">
        <span role="timer" aria-live="off">
          {capital(timeLeftLabel(end - now))} left.
        </span>{' '}
        You can leave this page and come back to it.
      </p>
    </div>
  )
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
