import type { SignedIn } from './session.ts'

/*
 * Which roles asked to stay signed in on this device. The token for that is in a cookie that no script reads: this only
 * tells a new tab whether to ask the server, so that visitors' tabs never do. It is noted in local storage, which Safari
 * deletes after a week, and in a second cookie of the server's.
 */

type Role = SignedIn['role']
const roles = ['client', 'therapist'] as const
export type StayingRole = (typeof roles)[number]

const keyOf = (role: Role) => `staysSignedIn:${role}`
const cookieOf = (role: Role) => `hearth_stays_${role}=`

/** The roles whose sign-in a new tab may ask for. */
export function stayingRoles(): StayingRole[] {
  try {
    return roles.filter(
      (role) => document.cookie.includes(cookieOf(role)) || localStorage.getItem(keyOf(role)) !== null,
    )
  } catch {
    return []
  }
}

/** Keeps whether a role stays signed in here, as it was chosen with the last sign-in. */
export function keepStaying(role: Role, stays: boolean): void {
  try {
    if (stays) localStorage.setItem(keyOf(role), 'yes')
    else {
      // The server clears its cookie as well, if the sign-out reaches it.
      document.cookie = `${cookieOf(role)}; Path=/; Max-Age=0; Secure`
      localStorage.removeItem(keyOf(role))
    }
  } catch {
    // Storage may be forbidden by the reader's settings: then the next tab starts signed out.
  }
}
