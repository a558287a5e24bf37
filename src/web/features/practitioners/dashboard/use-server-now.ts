import { useEffect, useState } from 'react'
import { serverNow } from '#web/lib/clock.ts'

/** The server's clock, moved on every half minute: 'in 3 minutes' has to stay true. */
export function useServerNow(): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
