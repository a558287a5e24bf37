import { useEffect, useReducer } from 'react'
import { whenItIs } from './when-it-is.ts'

/** Renders again at an instant by the server's clock, in epoch milliseconds, and at once if it is past. */
export function useRenderAt(at: number | undefined): void {
  const [, renderAgain] = useReducer((times: number) => times + 1, 0)
  useEffect(() => (at === undefined ? undefined : whenItIs(at, renderAgain)), [at])
}
