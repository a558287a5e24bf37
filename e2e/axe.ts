import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'

export const looks = [
  { name: '320px, dark', colorScheme: 'dark', viewport: { width: 320, height: 640 } },
  { name: '1280px, light', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
] as const

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The paths that each of the tests `axe*.spec.ts` looks at. */
export const screens = {
  discovery: ['/', '/find-therapist', '/recommended-therapy', '/found-therapists', '/recommended-therapist'],
  reading: [
    '/frequently-asked-questions',
    '/privacy-policy',
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
  office: [
    '/admin/sign-in',
    '/admin',
    '/admin/practitioner',
    '/admin/payments',
    '/admin/payouts',
    '/admin/videos',
    '/admin/reports',
    '/admin/audit',
    '/admin/second-factor',
  ],
  booking: ['/book-therapist', '/add-card', '/session-is-booked', '/account/cards'],
  sessions: ['/my-sessions'],
  help: ['/get-help', '/get-help/search-therapist', '/get-help/session-is-booked'],
  chats: ['/chats', '/chat'],
  practice: ['/therapist/dashboard', '/therapist/reviews', '/my-sessions/past'],
  subscription: ['/therapist/add-card', '/therapist/complete', '/therapist/subscription'],
  account: [
    '/account',
    '/account/name',
    '/account/email',
    '/account/password',
    '/account/devices',
    '/account/calendar',
    '/account/data',
    '/account/delete',
    '/confirm-email',
    '/goodbye',
  ],
  practiceAccount: [
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
  ],
}

/** Looks at screens one by one, and knows in the end whether all paths have been on the screen. */
export function looker(page: Page, paths: readonly string[]) {
  const seen = new Set<string>()
  return {
    /** Fails, and goes on, for each thing that axe finds, and where the page scrolls sideways. */
    async look(screen: string): Promise<void> {
      seen.add(new URL(page.url()).pathname)
      await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0)
      // One document without frames and its violations alone: half the time, for the same findings.
      const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode(true)
      const { violations, passes } = await axe.withTags(rules).analyze()
      const found = violations.map(({ id, help, nodes }) => ({
        id,
        help,
        where: nodes.map((node) => `${node.target.join(' ')} ${node.failureSummary ?? ''}`),
      }))
      expect.soft(found, `axe: ${screen}`).toEqual([])
      expect(passes.length, `axe had something to look at: ${screen}`).toBeGreaterThan(10)
      const read = await page.locator('body').ariaSnapshot()
      const torn = read.split('\n').filter((line) => /\p{L} [,.;:!?)]/u.test(line))
      expect.soft(torn, `words are read without a gap before a comma: ${screen}`).toEqual([])
      const [width, room] = await page.evaluate<[number, number]>(
        '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
      )
      expect.soft(width, `nothing sticks out sideways: ${screen}`).toBeLessThanOrEqual(room)
    },
    expectAllSeen(): void {
      expect([...seen]).toEqual(
        expect.arrayContaining(paths.map((path) => (path === '/*' ? '/no-such-page' : path))),
      )
    },
  }
}
