import { randomBytes } from 'node:crypto'
import { readCookie } from './cookies.ts'

/*
 * A secret that a browser keeps while its person signs in by a provider's button: a nonce that is bound to it, and so the
 * credential that names the nonce, is of no use in another browser.
 */

const cookie = 'hearth_browser'
const path = '/api/v7'

export function newBrowserSecret(): string {
  return randomBytes(32).toString('base64url')
}

export function readBrowserSecret(header: string | undefined): string | undefined {
  return readCookie(header, cookie, /^[\w-]{43}$/)
}

/** For as long as a nonce is good. */
export function browserCookie(secret: string, isSecure: boolean): string {
  return `${cookie}=${secret}; Path=${path}; Max-Age=900; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
}
