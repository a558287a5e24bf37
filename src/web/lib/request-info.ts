import { createContext, useContext } from 'react'

/** Under which id the log knows the request for this page; absent in the browser. */
export const RequestId = createContext<string | undefined>(undefined)

/**
 * The id under which this page's request is found in the log: from the request on the server, from the header
 * `Server-Timing` after that, since a page that is sent to many holds nothing of any one request.
 */
export function useRequestId(): string | undefined {
  const onServer = useContext(RequestId)
  if (typeof window === 'undefined') return onServer
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return page?.serverTiming?.find(({ name }) => name === 'request')?.description
}
