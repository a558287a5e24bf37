import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { LiveEvent } from '#contract/chat/live.ts'
import { onNews } from './live.ts'

/** The keys of the queries to read again. A constant of a module: another function subscribes anew. */
type Keys = () => readonly QueryKey[]

/** Reads queries again on live events of these types, a constant of a module, and after each connection. */
export function useReadOnNews(types: readonly LiveEvent['type'][], keysOf: Keys): void {
  const client = useQueryClient()
  useEffect(() => onNews(types, () => readAgain(client, keysOf)), [client, types, keysOf])
}

function readAgain(client: QueryClient, keysOf: Keys): void {
  for (const queryKey of keysOf()) void client.invalidateQueries({ queryKey })
}
