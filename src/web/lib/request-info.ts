import { createContext, useContext } from 'react'

/** What the document needs to know of the request it answers; absent in the browser. */
export const RequestInfo = createContext<{ cspNonce: string; requestId: string } | undefined>(undefined)

/** The browser hides nonces from markup and tells them to scripts: a document put together anew there keeps its own. */
const nonceHere =
  typeof document === 'undefined'
    ? undefined
    : document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce

/** The nonce of this response. */
export function useNonce(): string | undefined {
  return useContext(RequestInfo)?.cspNonce ?? nonceHere
}

/** The id under which this page's request is found in the log: from the request on the server, from the document after that. */
export function useRequestId(): string | undefined {
  const onServer = useContext(RequestInfo)?.requestId
  if (typeof document === 'undefined') return onServer
  return document.querySelector<HTMLMetaElement>('meta[name="request-id"]')?.content
}
