import { browserCookie, newBrowserSecret, readBrowserSecret } from '../../http/browser-secret.ts'
import { originOf } from '../../http/device.ts'
import type { Serve } from '../../http/serve.ts'
import type { Erasure } from './accounts.erasure.ts'
import type { Accounts } from './accounts.service.ts'
import { readIdentityCookie } from './identity.pages.ts'

export function accountRoutes(serve: Serve, accounts: Accounts, isSecure: boolean): void {
  serve('POST /client/register', ({ body, ...call }) =>
    accounts.registerClient(body, originOf(call, isSecure)),
  )
  serve('POST /client/login', ({ body, ...call }) =>
    accounts.login('client', body.email, body.password, originOf(call, isSecure, body.stay_signed_in)),
  )
  serve('POST /client/refresh-token', ({ body, ...call }) =>
    accounts.refresh('client', body.refresh_token, originOf(call, isSecure)),
  )
  serve('POST /client/hand-over', ({ body, ...call }) =>
    accounts.handOver('client', body.refresh_token, originOf(call, isSecure)),
  )
  serve('POST /client/resume', (call) => accounts.resume('client', originOf(call, isSecure)))
  serve('POST /client/logout', ({ caller, ...call }) => accounts.logout(caller, originOf(call, isSecure)))
  serve('POST /client/forgot-password', ({ body, address }) =>
    accounts.forgotPassword('client', body.email, address),
  )
  serve('POST /client/password/reset', ({ body, ...call }) =>
    accounts.resetPassword('client', body, originOf(call, isSecure)),
  )
  serve('GET /client/profile', ({ caller }) => accounts.ownProfile(caller))
  serve('POST /therapist/register', ({ body, ...call }) =>
    accounts.registerTherapist(body, originOf(call, isSecure)),
  )
  serve('POST /therapist/login', ({ body, ...call }) =>
    accounts.loginTherapist(body.email, body.password, originOf(call, isSecure, body.stay_signed_in)),
  )
  serve('POST /therapist/refresh-token', ({ body, ...call }) =>
    accounts.refresh('therapist', body.refresh_token, originOf(call, isSecure)),
  )
  serve('POST /therapist/hand-over', ({ body, ...call }) =>
    accounts.handOverTherapist(body.refresh_token, originOf(call, isSecure)),
  )
  serve('POST /therapist/resume', (call) => accounts.resumeTherapist(originOf(call, isSecure)))
  serve('POST /therapist/logout', ({ caller, ...call }) => accounts.logout(caller, originOf(call, isSecure)))
  serve('POST /therapist/forgot-password', ({ body, address }) =>
    accounts.forgotPassword('therapist', body.email, address),
  )
  serve('POST /therapist/password/reset', ({ body, ...call }) =>
    accounts.resetPassword('therapist', body, originOf(call, isSecure)),
  )
  serve('POST /admin/login', ({ body, ...call }) => accounts.loginAdmin(body, originOf(call, isSecure)))
  serve('POST /admin/forgot-password', ({ body, address }) =>
    accounts.forgotPassword('admin', body.email, address),
  )
  serve('POST /admin/password/reset', ({ body, ...call }) =>
    accounts.resetAdminPassword(body, originOf(call, isSecure)),
  )
  serve('POST /admin/refresh-token', ({ body, ...call }) =>
    accounts.refresh('admin', body.refresh_token, originOf(call, isSecure)),
  )
  serve('POST /admin/hand-over', ({ body, ...call }) =>
    accounts.handOver('admin', body.refresh_token, originOf(call, isSecure)),
  )
  serve('POST /admin/logout', ({ caller, ...call }) => accounts.logout(caller, originOf(call, isSecure)))
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
    identities.signIn('client', inBrowser(body, call), originOf(call, isSecure)),
  )
  serve('POST /client/google-sign-up', ({ body, ...call }) =>
    accounts.signUpClient(inBrowser(body, call), originOf(call, isSecure)),
  )
  serve('POST /therapist/google-sign-in', ({ body, ...call }) =>
    accounts.signInTherapist(inBrowser(body, call), originOf(call, isSecure)),
  )
  serve('POST /therapist/google-sign-up', ({ body, ...call }) =>
    accounts.signUpTherapist(inBrowser(body, call), originOf(call, isSecure)),
  )
}

type Asked = { request: { headers: { cookie?: string | undefined } } }

function inBrowser<T>(body: T, { request }: Asked): T & { browser: string | undefined } {
  return { ...body, browser: readBrowserSecret(request.headers.cookie) }
}

/** The second factor of admins. */
export function secondFactorRoutes(serve: Serve, { secondFactor }: Accounts): void {
  serve('GET /admin/profile', ({ caller }) => secondFactor.profile(caller))
  serve('POST /admin/second-factor/set-up', ({ caller, body }) =>
    secondFactor.setUp(caller, body.current_password),
  )
  serve('POST /admin/second-factor/confirm', ({ caller, body }) => secondFactor.confirm(caller, body.code))
}

/** What people do with their own account. */
export function accountSettingsRoutes(serve: Serve, accounts: Accounts, isSecure: boolean): void {
  serve('PUT /client/profile', ({ body, caller }) => accounts.rename(caller, body.name))
  serve('PUT /client/health-consent', ({ body, caller }) =>
    accounts.agreeToHealthData(caller, body.health_consent),
  )
  serve('GET /change-email', ({ caller }) => accounts.pendingEmail(caller))
  serve('POST /change-email/resend', ({ caller, address }) => accounts.resendChangeEmail(caller, address))
  serve('DELETE /change-email', ({ caller }) => accounts.cancelChangeEmail(caller))
  serve('POST /client/change-email', ({ body, caller, address }) =>
    accounts.changeEmail(caller, body, address),
  )
  serve('POST /client/confirm-email', ({ body, caller }) => accounts.confirmEmail(caller, body.token))
  serve('POST /client/verify-email', ({ body, caller }) => accounts.verifyEmail(caller, body.token))
  serve('POST /client/resend-verification', ({ caller, address }) =>
    accounts.resendVerification(caller, address),
  )
  serve('POST /client/change-password', ({ body, caller, ...call }) =>
    accounts.changePassword(caller, body, originOf(call, isSecure)),
  )
  serve('GET /client/login-sessions', ({ caller }) => accounts.loginSessions(caller))
  serve('DELETE /client/login-sessions/{id}', ({ caller, params }) =>
    accounts.endLoginSession(caller, params.id),
  )
  serve('POST /client/logout-everywhere', ({ caller }) => accounts.logoutEverywhere(caller))
  serve('POST /therapist/change-email', ({ body, caller, address }) =>
    accounts.changeEmail(caller, body, address),
  )
  serve('POST /therapist/confirm-email', ({ body, caller }) => accounts.confirmEmail(caller, body.token))
  serve('POST /therapist/verify-email', ({ body, caller }) => accounts.verifyEmail(caller, body.token))
  serve('POST /therapist/resend-verification', ({ caller, address }) =>
    accounts.resendVerification(caller, address),
  )
  serve('POST /therapist/change-password', ({ body, caller, ...call }) =>
    accounts.changePassword(caller, body, originOf(call, isSecure)),
  )
  serve('GET /therapist/login-sessions', ({ caller }) => accounts.loginSessions(caller))
  serve('DELETE /therapist/login-sessions/{id}', ({ caller, params }) =>
    accounts.endLoginSession(caller, params.id),
  )
  serve('POST /therapist/logout-everywhere', ({ caller }) => accounts.logoutEverywhere(caller))
}

/** Taking one's data along, and erasure. */
export function personalDataRoutes(serve: Serve, erasure: Erasure): void {
  serve('GET /client/export', ({ caller }) => erasure.exportData(caller))
  serve('GET /client/delete-account', ({ caller }) => erasure.hindrances(caller))
  serve('POST /client/delete-account', ({ body, caller }) => erasure.deleteAccount(caller, body))
  serve('GET /client/kept-after-deletion', () => erasure.keptAfterDeletion())
}
