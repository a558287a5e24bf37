import type { Page } from '@playwright/test'
import { bookByApi, bookPath, holdByApi, ownPractitioner, profilePath, timeWords } from './booking.ts'
import { expect, test } from './fixtures.ts'
import { callAs, register, signIn } from './people.ts'
import { demoTherapist, signInTherapist } from './therapists.ts'

test('a profile is readable without JavaScript: services, prices, reviews and free times', async ({
  request,
  openContext,
}, info) => {
  const offer = await ownPractitioner(request, info)
  const page = await (await openContext({ javaScriptEnabled: false })).newPage()
  await page.goto(profilePath(offer))
  await expect(page.getByRole('heading', { level: 1, name: offer.name })).toBeVisible()
  const main = page.getByRole('main')
  await expect(main).toContainText(offer.service.name)
  await expect(main).toContainText(`£${offer.service.fee}`)
  await expect(page.getByRole('heading', { name: /reviews/i }).first()).toBeVisible()
  await page.goto(`${profilePath(offer)}&day=${(offer.times[0] ?? '').slice(0, 10)}#book`)
  await expect(main).toContainText(timeWords(offer.times[0] ?? ''))
})

test('the home page leads to people without JavaScript', async ({ openContext }) => {
  const page = await (await openContext({ javaScriptEnabled: false })).newPage()
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByText('They keep 100% of the fee')).toBeVisible()
  await page.getByRole('button', { name: 'Next step' }).click()
  await expect(page).toHaveURL('/find-therapist?filterType=know')
  await page.getByRole('checkbox', { name: 'Counsellor' }).check()
  await page.getByRole('button', { name: 'Find my Therapist' }).click()
  await expect(page).toHaveURL(/\/found-therapists\?provider_id=\d+/)
  await page
    .getByRole('link', { name: /^See profile of/ })
    .first()
    .click()
  await expect(page).toHaveURL(/\/recommended-therapist\?practitionerId=\d+/)
})

test('without a network there is a page that says so and whom one can still call, and then it goes on', async ({
  openContext,
  allowComplaint,
}) => {
  allowComplaint(/ERR_INTERNET_DISCONNECTED|Failed to load resource/)
  const context = await openContext({ serviceWorkers: 'allow' })
  const page = await context.newPage()
  await page.goto('/')
  await page.evaluate(`navigator.serviceWorker.ready.then(() => true)`)
  const kept = await page.evaluate<string[]>(
    `caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name).then((cache) => cache.keys())))).then((lists) => lists.flat().map((request) => new URL(request.url).pathname))`,
  )
  expect(kept).toEqual(['/offline.html'])

  await context.setOffline(true)
  // The worker's own requests are cut off a moment later than the page's.
  await expect(async () => {
    await page.goto('/frequently-asked-questions')
    await expect(page.getByRole('heading', { level: 1, name: 'No connection to Hearth' })).toBeVisible({
      timeout: 2000,
    })
  }).toPass()
  await expect(page.getByRole('link', { name: '999' })).toHaveAttribute('href', 'tel:999')
  await expect(page).toHaveURL('/frequently-asked-questions')
  await context.setOffline(false)
  await page.getByRole('link', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Frequently asked questions' })).toBeVisible()
})

test('the questions are searched in the page alone, and each answer has an address', async ({ page }) => {
  await page.goto('/frequently-asked-questions')
  const field = page.getByRole('searchbox', { name: 'Search the questions' })
  await expect(page.getByRole('heading', { level: 3 })).not.toHaveCount(1)
  await expect(async () => {
    await field.fill('referral')
    await expect(page.getByRole('status').first()).toContainText('1 answer', { timeout: 500 })
  }).toPass()
  await expect(page.getByRole('heading', { level: 3 })).toHaveText(['How does a referral code work?'])
  await expect(page).toHaveURL('/frequently-asked-questions')
  await field.fill('zeppelin')
  await expect(page.getByText('Nothing matches that.')).toBeVisible()
  await field.fill('')

  await page.getByText('How long is a session?').click()
  await page.getByRole('link', { name: 'Link to this answer: How long is a session?' }).click()
  await expect(page).toHaveURL('/frequently-asked-questions#how-long')
  const other = await page.context().newPage()
  await other.goto('/frequently-asked-questions#how-long')
  await expect(other.getByText('Typically 50 minutes to an hour.')).toBeVisible()
})

test('a booked session on paper is the session alone', async ({ page, request }, info) => {
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  const [time = ''] = offer.times
  const session = await bookByApi(request, account, offer, time)
  await signIn(page, account)
  const booked = `/session-is-booked?session=${session.session_id}`
  const unconfirmed = page.getByText('Your email is not confirmed yet')
  const keep = page.getByRole('heading', { name: /^Keep / })
  for (const path of [booked, '/my-sessions']) {
    await page.goto(path)
    await expect(page.getByText(offer.name).first()).toBeVisible()
    await expect(unconfirmed).toBeVisible()
    if (path === booked) {
      await expect(page).toHaveTitle('Session is booked – Hearth')
      await expect(keep).toBeVisible()
    }
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await expect(page.getByText(offer.name).first()).toBeVisible()
    await expect(page.getByText(timeWords(time)).first()).toBeVisible()
    await expect(page.getByRole('banner')).toBeHidden()
    await expect(page.getByRole('contentinfo')).toBeHidden()
    await expect(page.getByRole('main').getByRole('button')).toHaveCount(0)
    await expect(page.getByRole('main').getByRole('link', { name: 'My Sessions' })).toHaveCount(0)
    await expect(unconfirmed).toBeHidden()
    await expect(keep).toBeHidden()
    expect(await page.evaluate(background)).toBe('rgb(255, 255, 255)')
    await page.emulateMedia({ media: 'screen', colorScheme: null })
  }

  await callAs(request, account, 'POST', '/appointment/cancel-session', {
    appointment_id: session.session_id,
    reason: null,
  })
  await page.goto(booked)
  await expect(page.getByRole('heading', { level: 1, name: 'This session is cancelled' })).toBeVisible()
  await expect(page).toHaveTitle('This session is cancelled – Hearth')
})

test('a phone with text twice as large has the menu, the price and the card’s fields within its width', async ({
  page,
  request,
}, info) => {
  const account = await register(request)
  const offer = await ownPractitioner(request, info)
  const held = await holdByApi(request, account, offer, offer.times[0] ?? '')
  await signIn(page, account)
  await expectNoSidewaysScroll(page, [
    ['/', 'Your next session'],
    [profilePath(offer), offer.service.name],
    [bookPath(offer, offer.times[1] ?? ''), 'Session cost'],
    [
      `/add-card?process=booking-process&session=${held.session_id}&price=${offer.service.fee}`,
      'Card number',
    ],
    ['/my-sessions', 'Held for you'],
    [`/join-waitlist?practitionerId=${offer.id}`, 'Join the waitlist'],
    ['/account/devices', 'This device'],
  ])
})

test('a phone with text twice as large has the demo’s past sessions, week, calendar and figures within its width', async ({
  page,
  request,
  openContext,
}) => {
  const login = await request.post('/api/v7/client/login', {
    data: { email: 'client@demo.test', password: 'demo-password' },
  })
  const { token, refresh_token: refreshToken } = (await login.json()) as {
    token: string
    refresh_token: string
  }
  await signIn(page, { name: 'Alex Morgan', email: 'client@demo.test', token, refreshToken })
  await expectNoSidewaysScroll(page, [['/my-sessions/past', 'Your review']])
  await page.getByRole('button', { name: 'Review this session' }).first().click()
  await expect(page.getByRole('radio', { name: '5 stars, Very good' })).toBeAttached()
  expect(await page.evaluate(widerThanDialog)).toEqual([])
  await page.goto('/my-sessions')
  await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
  const asked = Promise.withResolvers<void>()
  await page.route('**/next-available-sessions*', async (route) => {
    await asked.promise
    await route.continue()
  })
  await page.getByRole('button', { name: /^Move/ }).first().click()
  const move = page.getByRole('dialog', { name: 'Book an appointment' })
  const loading = move.getByRole('status').filter({ hasText: 'Loading free times' })
  await expect(loading).toBeVisible()
  expect(await page.evaluate(widerThanDialog)).toEqual([])
  asked.resolve()
  await expect(loading).toHaveCount(0)
  await expect(move.getByRole('group', { name: 'Day', exact: true })).toBeVisible()
  expect(await page.evaluate(widerThanDialog)).toEqual([])

  const practice = await (await openContext()).newPage()
  await signInTherapist(practice, await demoTherapist(request))
  const dashboard = ['/therapist/dashboard', 'Show as a table'] as const
  await expectNoSidewaysScroll(practice, [dashboard])
  await practice.getByText(dashboard[1]).click()
  await expect(practice.getByRole('columnheader', { name: 'Earned' })).toBeVisible()
  expect(await practice.evaluate(beyond)).toBeLessThanOrEqual(0)
  await expectNoSidewaysScroll(practice, [
    ['/therapist/schedule', 'Monday'],
    ['/therapist/calendar', 'Select all timeslots'],
    ['/therapist/sessions', 'Booked'],
    ['/therapist/profile-view', 'Face-to-face'],
  ])
})

/** Opens pages on a phone whose text is twice as large, once the words of each are there. */
async function expectNoSidewaysScroll(page: Page, pages: readonly (readonly [string, string])[]) {
  await page.setViewportSize({ width: 375, height: 780 })
  for (const [path, words] of pages) {
    await page.goto(path)
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
    await expect(page.getByRole('main').getByText(words, { exact: true }).first()).toBeVisible()
    await expect(page.locator('summary').filter({ hasText: 'Menu' })).toBeInViewport({ ratio: 1 })
    expect(await page.evaluate(beyond), path).toBeLessThanOrEqual(0)
  }
}

test('with reduced motion the page changes its colours at once', async ({ openContext }) => {
  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    const page = await (await openContext({ reducedMotion, colorScheme: 'light' })).newPage()
    await page.goto('/sign-in')
    const before = await page.evaluate(background)
    await page.evaluate(`globalThis.begun = 0
      addEventListener('transitionrun', () => globalThis.begun++)`)
    // Only what has been painted changes from one colour to another.
    await page.evaluate(painted)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(() => page.evaluate(background)).not.toBe(before)
    await page.evaluate(painted)
    const begun = () => page.evaluate<number>('globalThis.begun')
    if (reducedMotion === 'reduce') expect(await begun()).toBe(0)
    else await expect.poll(begun, 'controls change theirs slowly').toBeGreaterThan(0)
  }
})

const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
const widerThanDialog = `[...document.querySelectorAll('[role=dialog] > *')]
  .filter((part) => part.clientWidth > 1 && part.scrollWidth > part.clientWidth).map((part) => part.textContent)`
const painted = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'
const background = 'getComputedStyle(document.body).backgroundColor'
