import { deviceLastsDays } from './caller.ts'
import { readCookie } from './cookies.ts'

/*
 * The token of a browser that stays signed in. Each role has a cookie of its own by its path, so that a client and a
 * therapist can both stay signed in. Only the calls that start and end sign-ins get it.
 */

const cookie = 'hearth_device'

export function readDeviceToken(header: string | undefined): string | undefined {
  return readCookie(header, cookie, /^[\w-]{43}$/)
}

/**
 * The device token's cookie, and one without a secret by which a page knows to ask for it: Safari deletes the storage of
 * scripts after a week, and keeps a server's cookies. Without a token, the cookies that the browser forgets both by.
 * Browsers take them by https, and on their own machine.
 */
export function deviceCookies(role: 'client' | 'therapist', token: string | undefined): string[] {
  const maxAge = token === undefined ? 0 : deviceLastsDays * 86_400
  return [
    `${cookie}=${token ?? ''}; Path=/api/v7/${role}; Max-Age=${maxAge}; HttpOnly; Secure; SameSite=Strict`,
    `hearth_stays_${role}=${token ? 'yes' : ''}; Path=/; Max-Age=${maxAge}; Secure; SameSite=Strict`,
  ]
}
