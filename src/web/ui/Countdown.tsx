import { useEffect, useEffectEvent, useState } from 'react'
import { announce } from '../lib/announce.ts'
import { serverNow } from '../lib/clock.ts'
import { classes } from './classes.ts'
import { minutesCrossed } from './minutes-crossed.ts'

export type CountdownProps = {
  /** The instant it runs to, ISO 8601 or epoch milliseconds, by the server's clock. */
  until: string | number
  /** Read before the time left: 'Held for you for'. */
  label: string
  onEnd?(): void
  className?: string
}

/** Time left as mm:ss, with hours from one on. A screen reader hears it at five, two and one minutes, and at the end, rather than every second. */
export function Countdown({ until, label, onEnd, className }: CountdownProps) {
  const end = typeof until === 'number' ? until : Date.parse(until)
  const [left, setLeft] = useState(() => secondsLeft(end))
  const ended = useEffectEvent(() => onEnd?.())

  useEffect(() => {
    let previous = Number.POSITIVE_INFINITY
    const tick = () => {
      const now = secondsLeft(end)
      setLeft(now)
      const minutes = minutesCrossed(previous, now)
      // A device that slept past the end says that alone.
      if (minutes !== undefined && now > 0)
        announce(`${label} ${minutes} more ${minutes === 1 ? 'minute' : 'minutes'}`)
      const isSeen = previous < Number.POSITIVE_INFINITY
      previous = now
      if (now > 0) return
      clearInterval(timer)
      if (isSeen) announce('The time is up')
      ended()
    }
    const timer = setInterval(tick, 500)
    tick()
    return () => clearInterval(timer)
  }, [end, label])

  return (
    <span className={classes('inline-flex items-baseline gap-2', className)}>
      <span>{label}</span>
      <span role="timer" aria-live="off" className="font-semibold tabular-nums">
        {timeLeft(left)}
      </span>
    </span>
  )
}

function secondsLeft(end: number): number {
  return Math.max(0, Math.ceil((end - serverNow()) / 1000))
}

/** '4:05', and '1:04:05' from an hour on. */
function timeLeft(seconds: number): string {
  const twoDigits = (count: number) => String(count).padStart(2, '0')
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes}:${twoDigits(seconds % 60)}`
    : `${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}`
}
