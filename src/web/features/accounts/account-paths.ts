import { useLocation } from 'react-router'
import { withReturnPath } from '#web/lib/return-to.ts'

/** Clients and therapists have the same screens at paths of their own. */
export type AccountRole = 'client' | 'therapist'

/** Admins share the screens for a forgotten password. */
export type EntranceRole = AccountRole | 'admin'

/** `sign-in` of a client is /sign-in, of a therapist /therapist/sign-in. */
export function accountPath(
  role: EntranceRole,
  screen: 'sign-in' | 'sign-up' | 'forgot-password' | 'account',
): string {
  return role === 'client' ? `/${screen}` : `/${role}/${screen}`
}

/** Which of the two a page is for, by its path. */
export function roleOfPath(pathname: string): AccountRole {
  return pathname.startsWith('/therapist/') ? 'therapist' : 'client'
}

/** As `roleOfPath`, for a screen that admins have as well. */
export function entranceRoleOf(pathname: string): EntranceRole {
  return pathname.startsWith('/admin/') ? 'admin' : roleOfPath(pathname)
}

/** Whose account pages these are: a practitioner's lie below /therapist. */
export function useAccountRole(): AccountRole {
  return roleOfPath(useLocation().pathname)
}

/**
 * The page after sign-up. For a client it carries `returnTo`, the page to go on to from there. A client on the way to
 * booking goes straight on: the code is asked for on that page.
 */
export function afterSignUp(role: AccountRole, returnTo = '/'): string {
  if (role === 'therapist') return '/therapist/easy-steps'
  if (returnTo.startsWith('/book-therapist?')) return returnTo
  return withReturnPath('/send-referal', new URL(returnTo, location.origin))
}
