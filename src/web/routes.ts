import { index, layout, type RouteConfig, route } from '@react-router/dev/routes'

/** Pages that need a sign-in, by the layout that admits its roles. */
const clientPages = [
  route('book-therapist', 'routes/book-therapist.tsx'),
  route('add-card', 'routes/add-card.tsx'),
  route('get-help/search-therapist', 'routes/get-help-search.tsx'),
  route('get-help/session-is-booked', 'routes/get-help-booked.tsx'),
  route('my-sessions', 'routes/my-sessions.tsx'),
  route('my-sessions/past', 'routes/past-sessions.tsx'),
  route('my-sessions/waitlist', 'routes/own-waitlist.tsx'),
  route('session-is-booked', 'routes/session-is-booked.tsx'),
  route('series', 'routes/series.tsx'),
  route('join-waitlist', 'routes/join-waitlist.tsx'),
  route('search-wish', 'routes/search-wish.tsx'),
  route('pay', 'routes/pay.tsx'),

  route('account', 'routes/account.tsx'),
  route('account/name', 'routes/account-name.tsx'),
  route('account/email', 'routes/account-email.tsx'),
  route('account/password', 'routes/account-password.tsx'),
  route('account/cards', 'routes/account-cards.tsx'),
  route('account/devices', 'routes/account-devices.tsx'),
  route('account/notices', 'routes/account-notifications.tsx'),
  route('account/calendar', 'routes/account-calendar.tsx'),
  route('account/data', 'routes/account-data.tsx'),
  route('account/health', 'routes/account-health.tsx'),
  route('account/delete', 'routes/account-delete.tsx'),
]

const practitionerPages = [
  route('therapist/dashboard', 'routes/therapist-dashboard.tsx'),
  route('therapist/suspended', 'routes/therapist-suspended.tsx'),
  route('therapist/reviews', 'routes/therapist-reviews.tsx'),
  route('therapist/sessions', 'routes/therapist-sessions.tsx'),
  route('therapist/series', 'routes/therapist-series.tsx'),
  route('therapist/series/propose', 'routes/therapist-series-propose.tsx'),
  route('therapist/money', 'routes/therapist-money.tsx'),
  route('therapist/waitlist', 'routes/therapist-waitlist.tsx'),
  route('therapist/easy-steps', 'routes/therapist-easy-steps.tsx'),
  route('therapist/personal-info', 'routes/therapist-personal-info.tsx'),
  route('therapist/professional-info', 'routes/therapist-professional-info.tsx'),
  route('therapist/service-info', 'routes/therapist-service-info.tsx'),
  route('therapist/profile-preview', 'routes/therapist-profile-preview.tsx'),
  route('therapist/profile-view', 'routes/therapist-profile-view.tsx'),
  route('therapist/complete', 'routes/therapist-complete.tsx'),
  route('therapist/calendar', 'routes/therapist-calendar.tsx'),
  route('therapist/schedule', 'routes/therapist-schedule.tsx'),
  route('therapist/add-card', 'routes/therapist-add-card.tsx'),
  route('therapist/subscription', 'routes/therapist-subscription.tsx'),

  ...['account', 'account-name', 'account-email', 'account-password', 'account-devices'].map((page) =>
    route(`therapist/${page.replace('-', '/')}`, `routes/${page}.tsx`, { id: `therapist-${page}` }),
  ),
  route('therapist/account/notices', 'routes/account-notifications.tsx', {
    id: 'therapist-account-notifications',
  }),
  route('therapist/account/leave', 'routes/therapist-account-leave.tsx'),
]

const pagesOfBoth = [
  route('session', 'routes/session.tsx'),
  route('session-room', 'routes/session-room.tsx'),
  layout('routes/chats-frame.tsx', [route('chats', 'routes/chats.tsx'), route('chat', 'routes/chat.tsx')]),
]

const adminPages = [
  route('admin', 'routes/admin-queue.tsx'),
  route('admin/practitioner', 'routes/admin-practitioner.tsx'),
  route('admin/payments', 'routes/admin-payments.tsx'),
  route('admin/payouts', 'routes/admin-payouts.tsx'),
  route('admin/no-shows', 'routes/admin-no-shows.tsx'),
  route('admin/videos', 'routes/admin-videos.tsx'),
  route('admin/reports', 'routes/admin-reports.tsx'),
  route('admin/audit', 'routes/admin-audit.tsx'),
  route('admin/second-factor', 'routes/admin-second-factor.tsx'),
]

/** Pages that read from the API in the browser, and keep what they read in one cache. */
const livePages = [
  route('recommended-therapy', 'routes/recommended-therapy.tsx'),
  route('recommended-therapist', 'routes/recommended-therapist.tsx'),
  route('shortlist', 'routes/shortlist.tsx'),
  route('shortlist/compare', 'routes/shortlist-compare.tsx'),
  route('get-help', 'routes/get-help.tsx'),

  route('sign-in', 'routes/sign-in.tsx'),
  route('sign-up', 'routes/sign-up.tsx'),
  route('send-referal', 'routes/send-referal.tsx'),
  route('forgot-password', 'routes/forgot-password.tsx'),
  route('reset-password', 'routes/reset-password.tsx'),
  route('therapist/sign-in', 'routes/therapist-sign-in.tsx'),
  route('therapist/sign-up', 'routes/therapist-sign-up.tsx'),
  route('therapist/forgot-password', 'routes/forgot-password.tsx', { id: 'therapist-forgot-password' }),
  route('therapist/reset-password', 'routes/reset-password.tsx', { id: 'therapist-reset-password' }),
  route('admin/sign-in', 'routes/admin-sign-in.tsx'),
  route('admin/forgot-password', 'routes/forgot-password.tsx', { id: 'admin-forgot-password' }),
  route('admin/reset-password', 'routes/reset-password.tsx', { id: 'admin-reset-password' }),
  route('unsubscribe', 'routes/unsubscribe.tsx'),
  route('verify-email', 'routes/verify-email.tsx'),
  route('therapist/verify-email', 'routes/verify-email.tsx', { id: 'therapist-verify-email' }),
  route('confirm-email', 'routes/confirm-email.tsx'),
  route('therapist/confirm-email', 'routes/confirm-email.tsx', { id: 'therapist-confirm-email' }),
  route('goodbye', 'routes/goodbye.tsx'),

  layout('routes/for-clients.tsx', clientPages),
  layout('routes/for-practitioners.tsx', practitionerPages),
  layout('routes/for-both-sides.tsx', pagesOfBoth),
  layout('routes/admin.tsx', adminPages),
]

/** Every page there is. Paths are the specification's. */
export default [
  index('routes/home.tsx'),
  layout('routes/discovery.tsx', [route('find-therapist', 'routes/find-therapist.tsx')]),
  route('found-therapists', 'routes/found-therapists.tsx'),
  route('found-therapists/filters', 'routes/all-filters.tsx'),
  layout('routes/live-data.tsx', livePages),

  route('therapist', 'routes/therapist.tsx'),
  route('frequently-asked-questions', 'routes/frequently-asked-questions.tsx'),
  route('calendar-connected', 'routes/calendar-connected.tsx'),
  route('privacy-policy', 'routes/privacy-policy.tsx'),
  route('about-the-data', 'routes/about-the-data.tsx'),
  route('accessibility', 'routes/accessibility.tsx'),
  route('terms-and-conditions', 'routes/terms-and-conditions.tsx'),

  route('*', 'routes/not-found.tsx'),
] satisfies RouteConfig
