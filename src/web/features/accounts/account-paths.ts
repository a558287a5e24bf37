import { useLocation } from 'react-router'

/** Clients and therapists have the same screens at paths of their own. */
export type AccountRole = 'client' | 'therapist'

/** `sign-in` of a client is /sign-in, of a therapist /therapist/sign-in. */
export function accountPath(
  role: AccountRole,
  screen: 'sign-in' | 'sign-up' | 'forgot-password' | 'account',
): string {
  return role === 'client' ? `/${screen}` : `/therapist/${screen}`
}

/** Which of the two a page is for, by its path. */
export function roleOfPath(pathname: string): AccountRole {
  return pathname.startsWith('/therapist/') ? 'therapist' : 'client'
}

/** Whose account pages these are: a practitioner's lie below /therapist. */
export function useAccountRole(): AccountRole {
  return roleOfPath(useLocation().pathname)
}
