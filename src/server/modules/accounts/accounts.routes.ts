import { browserCookie, newBrowserSecret, readBrowserSecret } from '../../http/browser-secret.ts'
import { originOf } from '../../http/device.ts'
import { readIdentityCookie } from '../../http/identity-redirects.ts'
import type { Serve } from '../../http/serve.ts'
import type { Leaving } from './accounts.leaving.ts'
import type { Accounts } from './accounts.service.ts'

export function accountRoutes(serve: Serve, accounts: Accounts): void {
  serve('POST /client/register', ({ body, ...call }) => accounts.registerClient(body, originOf(call)))
  serve('POST /client/login', ({ body, ...call }) =>
    accounts.login('client', body.email, body.password, originOf(call)),
  )
  serve('POST /client/refresh-token', ({ body }) => accounts.refresh('client', body.refresh_token))
  serve('POST /client/logout', ({ caller }) => accounts.logout(caller))
  serve('POST /client/forgot-password', ({ body, address }) =>
    accounts.forgotPassword('client', body.email, address),
  )
  serve('POST /client/password/reset', ({ body }) => accounts.resetPassword('client', body))
  serve('POST /client/verify-email', ({ body }) => accounts.verifyEmail(body.token))
  serve('GET /client/profile', ({ caller }) => accounts.ownProfile(caller))
  serve('POST /therapist/register', ({ body, ...call }) => accounts.registerTherapist(body, originOf(call)))
  serve('POST /therapist/login', ({ body, ...call }) =>
    accounts.loginTherapist(body.email, body.password, originOf(call)),
  )
  serve('POST /therapist/refresh-token', ({ body }) => accounts.refresh('therapist', body.refresh_token))
  serve('POST /therapist/logout', ({ caller }) => accounts.logout(caller))
  serve('POST /therapist/forgot-password', ({ body, address }) =>
    accounts.forgotPassword('therapist', body.email, address),
  )
  serve('POST /therapist/password/reset', ({ body }) => accounts.resetPassword('therapist', body))
  serve('POST /admin/login', ({ body, ...call }) => accounts.loginAdmin(body, originOf(call)))
  serve('POST /admin/refresh-token', ({ body }) => accounts.refresh('admin', body.refresh_token))
  serve('POST /admin/logout', ({ caller }) => accounts.logout(caller))
}

/** Signing in by an OpenID provider. */
export function identityRoutes(serve: Serve, accounts: Accounts, isSecure: boolean): void {
  const { identities } = accounts
  serve('GET /identity/nonce', async ({ query, request, setHeader }) => {
    if (!query.bound) return identities.nonce()
    const browser = readBrowserSecret(request.headers.cookie) ?? newBrowserSecret()
    setHeader('set-cookie', browserCookie(browser, isSecure))
    return identities.nonce(browser)
  })
  serve('POST /identity/exchange', ({ body, request }) =>
    identities.exchange(body.code, readIdentityCookie(request.headers.cookie)),
  )
  serve('POST /client/google-sign-in', ({ body, ...call }) =>
    identities.signIn('client', inBrowser(body, call), originOf(call)),
  )
  serve('POST /client/google-sign-up', ({ body, ...call }) =>
    accounts.signUpClient(inBrowser(body, call), originOf(call)),
  )
  serve('POST /therapist/google-sign-in', ({ body, ...call }) =>
    accounts.signInTherapist(inBrowser(body, call), originOf(call)),
  )
  serve('POST /therapist/google-sign-up', ({ body, ...call }) =>
    accounts.signUpTherapist(inBrowser(body, call), originOf(call)),
  )
}

type Asked = { request: { headers: { cookie?: string | undefined } } }

function inBrowser<T>(body: T, { request }: Asked): T & { browser: string | undefined } {
  return { ...body, browser: readBrowserSecret(request.headers.cookie) }
}

/** The second factor of admins. */
export function secondFactorRoutes(serve: Serve, { secondFactor }: Accounts): void {
  serve('GET /admin/profile', ({ caller }) => secondFactor.profile(caller))
  serve('POST /admin/second-factor/set-up', ({ caller, body, address }) =>
    secondFactor.setUp(caller, body.current_password, address),
  )
  serve('POST /admin/second-factor/confirm', ({ caller, body, address }) =>
    secondFactor.confirm(caller, body.code, address),
  )
}

/** What people do with their own account. */
export function ownAccountRoutes(serve: Serve, accounts: Accounts): void {
  serve('PUT /client/profile', ({ body, caller }) => accounts.rename(caller, body.name))
  serve('POST /client/change-email', ({ body, caller, address }) =>
    accounts.changeEmail(caller, body, address),
  )
  serve('POST /client/confirm-email', ({ body }) => accounts.confirmEmail('client', body.token))
  serve('POST /client/change-password', ({ body, caller, address }) =>
    accounts.changePassword(caller, body, address),
  )
  serve('GET /client/login-sessions', ({ caller }) => accounts.loginSessions(caller))
  serve('DELETE /client/login-sessions/{id}', ({ caller, params }) =>
    accounts.endLoginSession(caller, params.id),
  )
  serve('POST /client/logout-everywhere', ({ caller }) => accounts.logoutEverywhere(caller))
  serve('POST /therapist/change-email', ({ body, caller, address }) =>
    accounts.changeEmail(caller, body, address),
  )
  serve('POST /therapist/confirm-email', ({ body }) => accounts.confirmEmail('therapist', body.token))
  serve('POST /therapist/change-password', ({ body, caller, address }) =>
    accounts.changePassword(caller, body, address),
  )
  serve('GET /therapist/login-sessions', ({ caller }) => accounts.loginSessions(caller))
  serve('DELETE /therapist/login-sessions/{id}', ({ caller, params }) =>
    accounts.endLoginSession(caller, params.id),
  )
  serve('POST /therapist/logout-everywhere', ({ caller }) => accounts.logoutEverywhere(caller))
}

/** Taking one's data along, and leaving. */
export function leavingRoutes(serve: Serve, leaving: Leaving): void {
  serve('GET /client/export', ({ caller }) => leaving.exportData(caller))
  serve('GET /client/delete-account', ({ caller }) => leaving.hindrances(caller))
  serve('POST /client/delete-account', ({ body, caller, address }) =>
    leaving.deleteAccount(caller, body, address),
  )
  serve('GET /client/kept-after-deletion', () => leaving.keptAfterDeletion())
}
