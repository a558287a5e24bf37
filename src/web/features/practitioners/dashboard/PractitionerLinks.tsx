import { isOpen } from '#web/lib/site.ts'
import { ButtonLink } from '#web/ui/Link.tsx'

const links = [
  { to: '/therapist/schedule', label: 'Schedule' },
  { to: '/therapist/sessions', label: 'Sessions' },
  { to: '/therapist/series', label: 'Regular sessions' },
  { to: '/therapist/waitlist', label: 'Waitlist' },
  { to: '/therapist/reviews', label: 'Clients’ reviews' },
  { to: '/therapist/profile-view', label: 'Profile' },
  { to: '/therapist/money', label: 'Money' },
] as const

/** Where a practitioner's other pages are. */
export function PractitionerLinks() {
  return (
    <nav aria-label="Your practice" className="-ml-2.5 flex flex-wrap sm:-ml-4">
      {links
        .filter(({ to }) => isOpen(to))
        .map(({ to, label }) => (
          <ButtonLink key={to} to={to} variant="quiet" className="max-sm:px-2.5 sm:px-4">
            {label}
          </ButtonLink>
        ))}
    </nav>
  )
}
