import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useReducer } from 'react'
import type { LiveEvent } from '#contract/chat/live.ts'
import { serverNow } from './clock.ts'
import { onNews } from './live.ts'
import { readAgain } from './read-again.ts'
import { firstAfter, type SessionInstant } from './session-instants.ts'
import { whenItIs } from './when-it-is.ts'

/** The keys of the queries to read again. A constant of a module: another function subscribes anew. */
type Keys = () => readonly QueryKey[]

/** Milliseconds after an instant until it has come on the server as well, whose clock is known to two seconds. */
const lag = 3000

/** Reads queries again on live events of these types, a constant of a module, and after each connection. */
export function useReadOnNews(types: readonly LiveEvent['type'][], keysOf: Keys): void {
  const client = useQueryClient()
  useEffect(() => {
    let isBeginning = true
    const stop = onNews(types, () => {
      // On a connection that is there already: what the page reads first has begun just now.
      if (isBeginning) for (const queryKey of keysOf()) void client.invalidateQueries({ queryKey })
      else readAllAgain(client, keysOf)
    })
    isBeginning = false
    return stop
  }, [client, types, keysOf])
}

/** Reads queries again just after each of these instants, and renders again. */
export function useReadAt(instants: readonly SessionInstant[], keysOf: Keys): void {
  const client = useQueryClient()
  const [, renderAgain] = useReducer((times: number) => times + 1, 0)
  const next = firstAfter(instants, serverNow() - lag)
  useEffect(() => {
    if (next === undefined) return undefined
    return whenItIs(next + lag, () => {
      readAllAgain(client, keysOf)
      renderAgain()
    })
  }, [client, next, keysOf])
}

function readAllAgain(client: QueryClient, keysOf: Keys): void {
  for (const queryKey of keysOf()) void readAgain(client, queryKey)
}
