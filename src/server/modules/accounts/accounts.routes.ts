import type { Serve } from '../../http/serve.ts'
import type { Accounts } from './accounts.service.ts'

export function accountRoutes(serve: Serve, accounts: Accounts): void {
  serve('POST /client/register', ({ body, address }) => accounts.registerClient(body, address))
  serve('POST /client/login', ({ body, address }) =>
    accounts.login('client', body.email, body.password, address),
  )
  serve('POST /client/refresh-token', ({ body }) => accounts.refresh('client', body.refresh_token))
  serve('POST /client/logout', ({ caller }) => accounts.logout(caller))
  serve('POST /client/forgot-password', ({ body, address }) =>
    accounts.forgotPassword('client', body.email, address),
  )
  serve('POST /client/password/reset', ({ body }) => accounts.resetPassword('client', body))
  serve('POST /client/verify-email', ({ body }) => accounts.verifyEmail(body.token))
  serve('POST /client/check-referral-code', ({ body, caller, address }) =>
    accounts.checkReferralCode(caller, body.referral_code, address),
  )
  serve('GET /client/profile', ({ caller }) => accounts.ownProfile(caller))
  serve('GET /client/profile/show', ({ caller }) => accounts.ownProfile(caller))
  serve('POST /therapist/login', ({ body, address }) =>
    accounts.loginTherapist(body.email, body.password, address),
  )
  serve('POST /therapist/refresh-token', ({ body }) => accounts.refresh('therapist', body.refresh_token))
  serve('POST /therapist/logout', ({ caller }) => accounts.logout(caller))
  serve('POST /therapist/forgot-password', ({ body, address }) =>
    accounts.forgotPassword('therapist', body.email, address),
  )
  serve('POST /therapist/password/reset', ({ body }) => accounts.resetPassword('therapist', body))
  serve('POST /admin/login', ({ body, address }) =>
    accounts.login('admin', body.email, body.password, address),
  )
  serve('POST /admin/refresh-token', ({ body }) => accounts.refresh('admin', body.refresh_token))
  serve('POST /admin/logout', ({ caller }) => accounts.logout(caller))
}
