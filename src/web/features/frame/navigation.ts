import type { Session } from '#web/lib/session.ts'

export type NavigationLink = { to: string; label: string }

/** What the account's menu leads to, by who is signed in. */
export function accountLinks(session: Session): NavigationLink[] {
  if (session.role === 'therapist') return [{ to: '/therapist/dashboard', label: 'Dashboard' }]
  return [
    { to: '/my-sessions', label: 'My Sessions' },
    { to: '/therapist/sign-up', label: 'Are you a Therapist?' },
  ]
}
