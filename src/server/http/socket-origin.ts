import type { IncomingMessage } from 'node:http'

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/**
 * Whether a socket may be opened from where it is asked for. A browser says so by `Origin`: it must be the product's own
 * address, or, where that is this machine's, this machine by any of its names. What is no browser has neither `Origin`
 * nor a victim whose browser it could misuse: it may come without, and shows its token like everybody.
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
