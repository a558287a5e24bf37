import { createContext, useContext } from 'react'

/** What the document needs to know of the request it answers; absent in the browser. */
export const RequestInfo = createContext<{ cspNonce: string; requestId: string } | undefined>(undefined)

/** On the server, the nonce of this response. The browser hides nonces, so it is undefined there. */
export function useNonce(): string | undefined {
  return useContext(RequestInfo)?.cspNonce
}

/** The id under which this page's request is found in the log: from the request on the server, from the document after that. */
export function useRequestId(): string | undefined {
  const onServer = useContext(RequestInfo)?.requestId
  if (typeof document === 'undefined') return onServer
  return document.querySelector<HTMLMetaElement>('meta[name="request-id"]')?.content
}
