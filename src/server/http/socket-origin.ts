import type { IncomingMessage } from 'node:http'
import { loopback } from '../loopback.ts'

/**
 * Whether a socket may be opened from its origin. A browser sends `Origin`: it must be the product's own address, or, if
 * that is this machine's, this machine by any of its names. A client that is no browser sends no `Origin` and cannot
 * misuse the browser of a victim: it may connect without, and authenticates by its token like every client.
 */
export function isOwnOrigin(request: IncomingMessage, publicUrl: string): boolean {
  const { origin, host } = request.headers
  if (origin === undefined) {
    return !Object.keys(request.headers).some((name) => name.startsWith('sec-fetch-'))
  }
  const own = new URL(publicUrl)
  if (origin === own.origin) return true
  if (!loopback.test(own.hostname) || !URL.canParse(origin)) return false
  const asked = new URL(origin)
  return asked.protocol === own.protocol && loopback.test(asked.hostname) && asked.host === host
}
