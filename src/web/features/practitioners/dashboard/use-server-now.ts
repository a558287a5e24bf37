import { useEffect, useReducer } from 'react'
import { serverNow } from '#web/lib/clock.ts'

/**
 * The server's clock, looked at every half minute and with every rendering: 'in 3 minutes' has to stay true, also once the
 * first answer has shown that this device's clock is wrong.
 */
export function useServerNow(): number {
  const [, look] = useReducer((looks: number) => looks + 1, 0)
  useEffect(() => {
    const timer = setInterval(look, 30_000)
    return () => clearInterval(timer)
  }, [])
  return serverNow()
}
