import { useEffect, useReducer } from 'react'
import { serverNow } from '#web/lib/clock.ts'

/** Renders again at an instant by the server's clock, in epoch milliseconds; never if undefined or past. */
export function useRenderAt(at: number | undefined): void {
  const [, renderAgain] = useReducer((times: number) => times + 1, 0)
  useEffect(() => {
    if (at === undefined) return undefined
    const wait = at - serverNow()
    if (wait <= 0) return undefined
    // A browser's timers hold 24 days at most, and may be a moment early.
    const timer = setTimeout(renderAgain, Math.min(wait + 50, 2 ** 31 - 1))
    return () => clearTimeout(timer)
  }, [at])
}
