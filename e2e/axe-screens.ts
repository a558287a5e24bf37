// What the tests `axe*.spec.ts` look at, and how. The page `/accessibility` lists it.

export type Look = {
  name: string
  colorScheme: 'dark' | 'light'
  viewport: { width: number; height: number }
}

/** The look in which screens are walked to: the narrow one, where things are most likely to be in each other's way. */
export const narrow: Look = {
  name: '320px, dark',
  colorScheme: 'dark',
  viewport: { width: 320, height: 640 },
}

/** The look that a screen is changed to and back again, once it has been walked to. */
export const wide: Look = {
  name: '1280px, light',
  colorScheme: 'light',
  viewport: { width: 1280, height: 800 },
}

/** Of axe-core, by its names. */
export const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The paths that each of the tests `axe*.spec.ts` looks at. */
export const screens = {
  discovery: [
    '/',
    '/find-therapist',
    '/recommended-therapy',
    '/found-therapists',
    '/found-therapists/filters',
    '/recommended-therapist',
    '/shortlist',
    '/shortlist/compare',
  ],
  reading: [
    '/frequently-asked-questions',
    '/privacy-policy',
    '/about-the-data',
    '/accessibility',
    '/terms-and-conditions',
    '/calendar-connected',
    '/*',
  ],
  entrances: [
    '/sign-in',
    '/sign-up',
    '/forgot-password',
    '/reset-password',
    '/therapist/sign-in',
    '/therapist/forgot-password',
    '/therapist/reset-password',
    '/verify-email',
    '/send-referal',
  ],
  joining: ['/therapist/sign-up', '/therapist/easy-steps'],
  wizard: [
    '/therapist/personal-info',
    '/therapist/professional-info',
    '/therapist/service-info',
    '/therapist/profile-preview',
    '/therapist/profile-view',
  ],
  schedule: ['/therapist/calendar', '/therapist/schedule'],
  admin: [
    '/admin/sign-in',
    '/admin/forgot-password',
    '/admin/reset-password',
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
  booking: ['/book-therapist', '/add-card', '/session-is-booked', '/account/cards'],
  sessions: ['/my-sessions'],
  series: ['/series', '/pay'],
  practiceSeries: ['/therapist/series', '/therapist/series/propose'],
  waitlist: ['/join-waitlist', '/my-sessions/waitlist', '/search-wish', '/therapist/waitlist'],
  room: ['/session-room'],
  help: ['/get-help', '/get-help/search-therapist', '/get-help/session-is-booked', '/session'],
  chats: ['/chats', '/chat'],
  practice: [
    '/therapist/dashboard',
    '/therapist/suspended',
    '/therapist/reviews',
    '/therapist/sessions',
    '/therapist/money',
    '/my-sessions/past',
  ],
  subscription: ['/therapist/add-card', '/therapist/complete', '/therapist/subscription'],
  account: [
    '/account',
    '/account/name',
    '/account/email',
    '/account/password',
    '/account/devices',
    '/account/calendar',
    '/account/data',
    '/account/health',
    '/account/delete',
    '/confirm-email',
    '/goodbye',
  ],
  practitionerAccount: [
    '/therapist/account',
    '/therapist/account/name',
    '/therapist/account/email',
    '/therapist/account/password',
    '/therapist/account/devices',
    '/therapist/account/notices',
    '/account/notices',
    '/unsubscribe',
    '/therapist/account/leave',
    '/therapist/confirm-email',
    '/therapist/verify-email',
  ],
}

/** What they are called on the page `/accessibility`. */
export const areas: Record<keyof typeof screens, string> = {
  discovery: 'Finding someone',
  reading: 'Pages to read',
  entrances: 'Signing in and up',
  joining: 'Joining as a practitioner',
  wizard: 'A practitioner’s profile',
  schedule: 'A practitioner’s schedule',
  admin: 'The back office',
  booking: 'Booking and paying',
  sessions: 'My sessions',
  series: 'Weekly sessions',
  practiceSeries: 'Weekly sessions, for practitioners',
  waitlist: 'Waitlists',
  room: 'The session room',
  help: 'Help right now and the page of a session',
  chats: 'Messages',
  practice: 'A practitioner’s dashboard and sessions',
  subscription: 'A practitioner’s subscription',
  account: 'A client’s account',
  practitionerAccount: 'A practitioner’s account',
}
