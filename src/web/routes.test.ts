import type { RouteConfigEntry } from '@react-router/dev/routes'
import { expect, test } from 'vitest'
import routes from './routes.ts'

type Audience = 'everyone' | 'clients' | 'practitioners' | 'both sides' | 'admins'

/** The audience of a layout that admits roles; other layouts pass their parent's on. */
const audienceOf: Record<string, Audience> = {
  'routes/for-clients.tsx': 'clients',
  'routes/for-practitioners.tsx': 'practitioners',
  'routes/for-both-sides.tsx': 'both sides',
  'routes/admin.tsx': 'admins',
}

function pathsOf(entries: RouteConfigEntry[], audience: Audience = 'everyone'): [string, Audience][] {
  return entries.flatMap((entry) =>
    entry.children
      ? pathsOf(entry.children, audienceOf[entry.file] ?? audience)
      : [[`/${entry.path ?? ''}`, audience]],
  )
}

/**
 * The specification's screens (2.1) by audience. Finding a practitioner, a profile and the description of help are open
 * to visitors as well, who sign in before they book.
 */
const specified: Record<Audience, string[]> = {
  everyone: [
    '/',
    '/sign-up',
    '/sign-in',
    '/therapist/sign-in',
    '/therapist/sign-up',
    '/forgot-password',
    '/therapist/forgot-password',
    '/reset-password',
    '/therapist/reset-password',
    '/send-referal',
    '/privacy-policy',
    '/terms-and-conditions',
    '/frequently-asked-questions',
    '/recommended-therapy',
    '/recommended-therapist',
    '/found-therapists',
    '/find-therapist',
    '/get-help',
  ],
  clients: [
    '/book-therapist',
    '/my-sessions',
    '/get-help/search-therapist',
    '/get-help/session-is-booked',
    '/session-is-booked',
    '/add-card',
  ],
  practitioners: [
    '/therapist/add-card',
    '/therapist/easy-steps',
    '/therapist/personal-info',
    '/therapist/professional-info',
    '/therapist/service-info',
    '/therapist/profile-preview',
    '/therapist/profile-view',
    '/therapist/complete',
    '/therapist/dashboard',
    '/therapist/calendar',
    '/therapist/schedule',
  ],
  'both sides': ['/chats', '/chat'],
  admins: [],
}

/** Pages beyond the specification. */
const added: Record<Audience, string[]> = {
  everyone: [
    '/shortlist',
    '/shortlist/compare',
    '/admin/sign-in',
    '/admin/forgot-password',
    '/admin/reset-password',
    '/verify-email',
    '/therapist/verify-email',
    '/confirm-email',
    '/therapist/confirm-email',
    '/unsubscribe',
    '/goodbye',
    '/therapist',
    '/about-the-data',
    '/accessibility',
    '/calendar-connected',
    '/found-therapists/filters',
    '/*',
  ],
  clients: [
    '/my-sessions/past',
    '/my-sessions/waitlist',
    '/series',
    '/pay',
    '/join-waitlist',
    '/search-wish',
    '/account',
    '/account/name',
    '/account/email',
    '/account/password',
    '/account/cards',
    '/account/devices',
    '/account/notices',
    '/account/calendar',
    '/account/data',
    '/account/health',
    '/account/delete',
  ],
  practitioners: [
    '/therapist/suspended',
    '/therapist/reviews',
    '/therapist/sessions',
    '/therapist/series',
    '/therapist/series/propose',
    '/therapist/waitlist',
    '/therapist/money',
    '/therapist/subscription',
    '/therapist/account',
    '/therapist/account/name',
    '/therapist/account/email',
    '/therapist/account/password',
    '/therapist/account/devices',
    '/therapist/account/notices',
    '/therapist/account/leave',
  ],
  'both sides': ['/session', '/session-room'],
  admins: [
    '/admin',
    '/admin/practitioner',
    '/admin/payments',
    '/admin/payouts',
    '/admin/no-shows',
    '/admin/videos',
    '/admin/reports',
    '/admin/audit',
    '/admin/second-factor',
  ],
}

test('every page admits the audience that the specification names, and no other page exists', () => {
  const found = pathsOf(routes)
  for (const audience of Object.keys(specified) as Audience[]) {
    const paths = found.filter(([, admitted]) => admitted === audience).map(([path]) => path)
    expect(paths.toSorted(), audience).toEqual([...specified[audience], ...added[audience]].toSorted())
  }
})
