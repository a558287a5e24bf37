import type { VideoProduction } from '#contract/subscriptions/subscriptions.ts'
import { looker, screens, walking } from './axe.ts'
import { fillCard } from './booking.ts'
import { expect, test } from './fixtures.ts'
import { files } from './onboarding.ts'
import { demoTherapist, registerTherapist, signInTherapist } from './therapists.ts'

test.use(walking)

test('card, subscription and money', async ({ page, request, openContext, allowComplaint }) => {
  allowComplaint(/status of (402|503)/)
  const { look, expectAllSeen } = looker(page, screens.subscription)
  await signInTherapist(page, await registerTherapist(request))
  await page.goto('/therapist/complete')
  await expect(page.getByText('No card is saved yet.')).toBeVisible()
  await look('complete, without a card')
  await page.goto('/therapist/subscription')
  await expect(page.getByRole('heading', { name: 'You have no subscription' })).toBeVisible()
  await look('subscription, none')
  await page.getByRole('link', { name: 'Add a card to order it' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Adding new card' })).toBeVisible()
  await look('add card')
  await fillCard(page, '4000 0000 0000 0002')
  await page.getByRole('button', { name: 'Save card', exact: true }).click()
  const video = page.getByRole('region', { name: 'Your introduction on video' })
  await video.getByRole('button', { name: 'Order for £10' }).click()
  const question = page.getByRole('alertdialog')
  await question.getByRole('button', { name: 'Order and pay £10' }).click()
  await expect(question.getByRole('alert')).toBeVisible()
  await look('order, declined')
  await page.route('**/api/v7/therapist/**', (route) =>
    route.fulfill({
      status: 503,
      json: { code: 'unavailable', message: 'We are very busy at the moment.' },
    }),
  )
  await page.goto('/therapist/subscription')
  await expect(page.getByRole('alert')).toHaveCount(2, { timeout: 20_000 })
  await look('subscription, not loaded')
  await page.goto('/therapist/complete')
  await expect(page.getByRole('main').getByText('Your card could not be checked')).toBeVisible({
    timeout: 20_000,
  })
  await look('complete, not loaded')
  expectAllSeen()

  const paid = await (await openContext(walking)).newPage()
  await signInTherapist(paid, await demoTherapist(request))
  const other = looker(paid, screens.subscription)
  // A journey cancels and resumes it meanwhile.
  await expect(async () => {
    await paid.goto('/therapist/subscription')
    await expect(paid.getByRole('button', { name: 'Cancel subscription' })).toBeVisible({ timeout: 2000 })
  }).toPass()
  await other.look('subscription, paid')
  await paid.getByRole('button', { name: 'Cancel subscription' }).click()
  await expect(paid.getByRole('alertdialog')).toBeVisible()
  await other.look('subscription, cancelling')
})

test('a video order', async ({ page, request }) => {
  const { look } = looker(page, [])
  await signInTherapist(page, await registerTherapist(request))
  const ordered: VideoProduction = {
    status: 'ordered',
    price: 10,
    full_price: 60,
    offer_ends_at: null,
    ordered_at: '2026-06-08T09:00:00.000Z',
    progress: {
      state: 'dates_proposed',
      version: 1,
      dates: ['2020-06-10T09:00:00.000Z', '2030-06-10T09:00:00.000Z', '2030-06-11T13:00:00.000Z'],
      dates_expired: false,
      agreed_date: null,
      note: null,
      uploaded_at: null,
      timezone: 'Europe/Madrid',
    },
  }
  let progress: Partial<VideoProduction['progress']> = {}
  await page.route('**/therapist/video-production', (route) =>
    route.fulfill({ json: { ...ordered, progress: { ...ordered.progress, ...progress } } }),
  )
  await page.route('**/therapist/video-production/video-link', (route) =>
    route.fulfill({
      json: {
        url: '/video-of-this-test.webm',
        expires_at: '2030-01-01T09:00:00Z',
        content_type: 'video/webm',
      },
    }),
  )
  await page.route('**/video-of-this-test.webm', (route) =>
    route.fulfill({ contentType: 'video/webm', body: files.recording().buffer }),
  )
  const show = async (next: typeof progress, heading: string) => {
    progress = { dates: [], ...next }
    await page.goto('/therapist/subscription')
    await expect(page.getByRole('heading', { name: heading })).toBeVisible()
  }
  await page.goto('/therapist/dashboard')
  await expect(page.getByRole('link', { name: 'Choose a date' })).toBeVisible()
  await look('dashboard, dates to choose from')
  await page.goto('/therapist/subscription')
  await page.getByRole('button', { name: 'Choose this date' }).click()
  await expect(page.getByText('Choose a date, or ask for others.')).toBeVisible()
  await look('dates proposed')
  await page.getByRole('button', { name: 'Ask for other dates' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('Write a few words.')).toBeVisible()
  await look('asking for other dates')
  await show({ dates_expired: true, dates: ['2020-06-10T09:00:00.000Z'] }, 'Choose a date for the call')
  await look('dates that have passed')
  await show({ state: 'dates_asked', note: 'Any weekday afternoon.' }, 'Next: other dates for the call')
  await look('other dates asked for')
  await show({ state: 'date_agreed', agreed_date: '2030-06-10T09:00:00.000Z' }, 'Your call is agreed')
  await look('date agreed')
  await show({ state: 'uploaded', uploaded_at: '2026-06-08T09:00:00.000Z' }, 'Your video is ready to watch')
  await page.getByRole('button', { name: /^Watch the video/ }).click()
  await expect(page.locator('video')).toBeVisible()
  await look('video to approve')
  await page.getByRole('button', { name: 'Approve the video' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await look('approving it')
  await show({ state: 'approved' }, 'Your video is on your profile')
  await look('video approved')
})
