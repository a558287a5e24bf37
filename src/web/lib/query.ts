import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'

/** The cache of what was read from the API. One per tab; one per request on the server. */
export function newQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        // Offline, a query fails and says so, rather than waiting without a word.
        networkMode: 'always',
        staleTime: 30_000,
        // What the server decided is not asked again; what never reached it is, twice.
        retry: (failures, error) =>
          failures < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 502),
        refetchOnWindowFocus: true,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || !event.action.manual) return
    // A read under way began before what is put in its place, such as the answer to a call; a first read knows the rest.
    if (event.query.state.dataUpdateCount > 1) void event.query.cancel({ revert: true })
  })
  return client
}
