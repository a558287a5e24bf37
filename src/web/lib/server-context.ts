import { createContext, type RouterContext, type RouterContextProvider } from 'react-router'

/** From the configuration. */
export type SiteFacts = {
  /** `https://hearth.example`, without a slash at the end. */
  origin: string
  /** Where people write to us. */
  contactEmail: string
  appStoreUrl: string | null
  playStoreUrl: string | null
  payment: PaymentFacts
  /** Where browsers read pictures and videos from besides the site itself, if they do. */
  files: string | null
  /** Whom people may sign in by besides a password, as its button names it. */
  identityProvider: string | null
  /** What that button is drawn by instead, where the provider has a script for it. */
  identityButton: IdentityButton | null
}

/** Google's own button: its script (`…/gsi/client`), and who we are to it. */
export type IdentityButton = { script: string; clientId: string }

/** The payment gateway, as far as the browser has to know it: by its own script, or by our own form. */
export type PaymentFacts =
  | { provider: 'sandbox' }
  | {
      provider: 'stripe'
      publishableKey: string
      script: string
      /** Where this script's frames and calls go beside its own origin; nowhere for a script of a test's. */
      isReal: boolean
    }

/** The answer of an API call made in-process. */
export type InProcessAnswer = { status: number; body: unknown }

/**
 * What the server hands to every page. Nothing about the caller, because pages are rendered the same for all visitors.
 */
export type PageContext = {
  /** The nonce for inline scripts: known to the server alone, and removed before the page is sent. */
  scriptMark: string
  /** Names this request in the log; shown on error pages for support. */
  requestId: string
  /** The facts of the site, the same for every caller: its address, and where its apps are. */
  site: SiteFacts
  /** Whether plain pages load the framework once they are used, rather than at once. */
  lateScripts: boolean
  /** Whether the page is rendered, rather than its data sent to one that is open. */
  isDocument: boolean
  /** Calls an endpoint of the contract that only reads, without the network. Its input are texts, as in an address. */
  api(key: string, options?: ApiCallOptions): Promise<InProcessAnswer>
  /** Ends the cached page at an instant (ISO 8601), from which on a fact that it shows is wrong. */
  keepUntil(instant: string): void
  /** Reports an error that a page met while being rendered. */
  report(error: unknown): void
  /** Takes a document. By the body of its `Response` it would go through a stream. */
  finish(markup: string): void
}

export type ApiCallOptions = {
  params?: Record<string, string>
  query?: Record<string, string>
  signal?: AbortSignal | undefined
}

const name = Symbol.for('hearth.page-context')

/**
 * The key of the page context. The renderer and the bundled pages load this module separately, and a key counts by
 * identity, so there is one for the process.
 */
export const pageContext = ((globalThis as Record<symbol, unknown>)[name] ??=
  createContext<PageContext>()) as RouterContext<PageContext>

/** Reads the page context in a loader. */
export function readPageContext(context: Readonly<RouterContextProvider>): PageContext {
  return context.get(pageContext)
}
