import type { QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * Reads queries again after a change. The first read of one may have begun before the change, and the library would
 * wait for it alone. Resolves once they are read.
 */
export async function readAgain(client: QueryClient, queryKey: QueryKey): Promise<void> {
  const all = client.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' })
  const first = all.filter(({ state }) => state.data === undefined)
  await client.invalidateQueries({ queryKey })
  if (first.length === 0) return
  await client.invalidateQueries({ queryKey, predicate: (query) => first.includes(query) })
}
