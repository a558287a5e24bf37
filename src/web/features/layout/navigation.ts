import type { Session } from '#web/lib/session.ts'
import { isOpen, shortlistPath } from '#web/lib/site.ts'

export type NavigationLink = { to: string; label: string }

/** What the account's menu leads to, by who is signed in. */
export function accountLinks(session: Session): NavigationLink[] {
  if (session.role === 'therapist') {
    return openLinks([
      { to: '/therapist/dashboard', label: 'Dashboard' },
      { to: '/therapist/schedule', label: 'Schedule' },
      { to: '/therapist/sessions', label: 'Sessions' },
      { to: '/therapist/series', label: 'Regular sessions' },
      { to: '/therapist/waitlist', label: 'Waitlist' },
      { to: '/therapist/reviews', label: 'Clients’ reviews' },
      { to: '/therapist/profile-view', label: 'Profile' },
      { to: '/therapist/money', label: 'Money' },
      { to: '/therapist/account', label: 'Account' },
    ])
  }
  if (session.role === 'admin') return [{ to: '/admin', label: 'Back office' }]
  return openLinks([
    { to: '/my-sessions', label: 'My Sessions' },
    { to: shortlistPath, label: 'Shortlist' },
    { to: '/account', label: 'Account' },
    { to: '/therapist/sign-up', label: 'Are you a Therapist?' },
  ])
}

/** Those that lead to a page that is there. */
export function openLinks(links: NavigationLink[]): NavigationLink[] {
  return links.filter(({ to }) => isOpen(to))
}
