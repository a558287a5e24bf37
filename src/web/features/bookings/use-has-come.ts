import { useEffect, useState } from 'react'
import { serverNow } from '#web/lib/clock.ts'

/** Timers of browsers overflow after 24 days. */
const longestWait = 3_600_000

/** Whether an instant, in epoch milliseconds, has come by the server's clock. Renders again when it does. */
export function useHasCome(instant: number): boolean {
  const [now, setNow] = useState(serverNow)
  const hasCome = now >= instant
  useEffect(() => {
    if (hasCome) return undefined
    const timer = setTimeout(() => setNow(serverNow()), Math.min(instant - now, longestWait))
    return () => clearTimeout(timer)
  }, [instant, now, hasCome])
  return hasCome
}
