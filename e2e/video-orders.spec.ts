import type { Locator } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { walkForm } from './forms.ts'
import { approve, handInProfile, signInDemoAdmin } from './admin.ts'
import { callAs } from './people.ts'
import { holdAnswers } from './lost-answers.ts'
import { files } from './onboarding.ts'
import { type Therapist, signInTherapist } from './therapists.ts'

/** That the player has read the beginning of the video. */
const plays = (player: Locator) =>
  expect
    .poll(() => player.evaluate((element) => (element as unknown as { readyState: number }).readyState))
    .toBeGreaterThan(0)

/** Days from now at 10:00 in London, as a field for a day and a time takes it. */
const inDays = (count: number) =>
  `${new Date(Date.now() + count * 86_400_000).toISOString().slice(0, 10)}T10:00`

test('a video order goes from the proposal of dates to the public profile', async ({
  page,
  request,
  openContext,
}) => {
  test.setTimeout(150_000)
  const therapist: Therapist = await handInProfile(request)
  await approve(request, therapist.id)
  const name = `${therapist.firstName} ${therapist.lastName}`
  const card = await callAs<{ payment_method_id: string }>(
    request,
    therapist,
    'POST',
    '/therapist/payment/add-new-card',
    { card_number: '4242424242424242', expiry_month: 12, expiry_year: 2034, cvv_number: '123' },
  )
  await callAs(request, therapist, 'POST', '/therapist/subscription/subscribe', {
    payment_method_id: card.payment_method_id,
  })
  await callAs(request, therapist, 'POST', '/therapist/video-production/order')

  // Dates are proposed, others are asked for, and one is taken.
  const office = await (await openContext()).newPage()
  await signInDemoAdmin(office, request)
  await office.goto('/admin/videos')
  const order = office.getByRole('listitem').filter({ hasText: therapist.email })
  const dialog = office.getByRole('dialog')
  await order.getByRole('button', { name: /^Propose dates/ }).click()
  await dialog.getByLabel('First date').fill(inDays(0))
  await dialog.getByRole('button', { name: 'Propose these dates' }).click()
  await expect(dialog.getByText('Enter a time that is at least 24 hours from now.')).toBeVisible()
  await dialog.getByLabel('First date').fill(inDays(3))
  await dialog.getByLabel('Second date').fill(inDays(4))
  await dialog.getByRole('button', { name: 'Propose these dates' }).click()
  await expect(order.getByText('Dates proposed')).toBeVisible()
  await expect(order.getByRole('list', { name: 'Proposed dates' }).getByRole('listitem')).toHaveCount(2)

  await signInTherapist(page, therapist)
  await page.goto('/therapist/dashboard')
  await page.getByRole('link', { name: 'Choose a date' }).click()
  const video = page.getByRole('region', { name: 'Your introduction on video' })
  await video.getByRole('button', { name: 'Ask for other dates' }).click()
  await walkForm(page, 'features/subscriptions/AskAboutVideo', {
    within: page.getByRole('dialog'),
    submit: 'Send',
    fields: [['When would suit you?']],
  })
  await page.getByLabel('When would suit you?').fill('Any afternoon.')
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click()
  await expect(video.getByText('You asked for other dates.')).toBeVisible()

  await office.reload()
  await expect(order.getByText('Any afternoon.')).toBeVisible()
  await order.getByRole('button', { name: /^Propose other dates/ }).click()
  await dialog.getByLabel('First date').fill(inDays(5))
  await dialog.getByLabel('Second date').fill(inDays(6))
  await dialog.getByRole('button', { name: 'Propose these dates' }).click()
  await expect(order.getByText('Dates proposed')).toBeVisible()

  await page.reload()
  await video.getByRole('button', { name: 'Choose this date' }).click()
  await expect(video.getByText('Choose a date, or ask for others.')).toBeVisible()
  await expect(video.getByRole('radio').first()).toBeFocused()
  await video.getByRole('radio').last().check({ force: true })
  const answers = await holdAnswers(page, '**/video-production/take-date')
  await video.getByRole('button', { name: 'Choose this date' }).click()
  await answers.isAsked
  await video.getByRole('radio').first().press('Space')
  await expect(video.getByRole('radio').last()).toBeChecked()
  answers.release()
  await expect(video.getByRole('heading', { name: 'Your call is agreed' })).toBeVisible()

  // The video is uploaded, taken back, and uploaded again.
  const file = files.recording()
  await office.reload()
  await expect(order.getByText('Date agreed')).toBeVisible()
  const upload = async () => {
    await order.getByRole('button', { name: /^Upload the video/ }).click()
    await dialog.getByLabel('Video', { exact: true }).setInputFiles(file)
    await expect(order.getByText('Waiting for approval')).toBeVisible()
  }
  await upload()
  await order.getByRole('button', { name: /^Take the video back/ }).click()
  await office.getByRole('alertdialog').getByRole('button', { name: 'Take the video back' }).click()
  await expect(order.getByText('Date agreed')).toBeVisible()
  await upload()

  const profile = await (await openContext()).newPage()
  await profile.goto(`/recommended-therapist?practitionerId=${therapist.id}`)
  await expect(profile.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(profile.locator('video')).toHaveCount(0)

  // The practitioner watches it, asks for a change, and approves the next one.
  await page.reload()
  await video.getByRole('button', { name: /^Watch the video/ }).click()
  await plays(video.locator('video'))
  await video.getByRole('button', { name: 'Ask for a change' }).click()
  await page.getByLabel('What should we change?').fill('Please cut the end.')
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click()
  await expect(video.getByText('You asked for a change.')).toBeVisible()
  await office.reload()
  await expect(order.getByText('Please cut the end.')).toBeVisible()
  await upload()
  await page.goto('/therapist/dashboard')
  await page.getByRole('link', { name: 'Watch your video' }).click()
  await video.getByRole('button', { name: 'Approve the video' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Put it on my profile' }).click()
  await expect(video.getByRole('heading', { name: 'Your video is on your profile' })).toBeVisible()

  await expect(async () => {
    await profile.reload()
    await expect(profile.getByRole('heading', { name: 'In their own voice' })).toBeVisible({ timeout: 2000 })
  }).toPass()
  await plays(profile.locator('video'))
  await office.goto('/admin/videos?show=done')
  await expect(order.getByText(/^Approved /)).toBeVisible()
  await expect(order.getByRole('button')).toHaveCount(0)
})

test('"Mark as made" asks first, and can be undone', async ({ page, request }) => {
  const therapist = await handInProfile(request)
  await callAs(request, therapist, 'POST', '/therapist/payment/add-new-card', {
    card_number: '4242424242424242',
    expiry_month: 12,
    expiry_year: 2034,
    cvv_number: '123',
  })
  await callAs(request, therapist, 'POST', '/therapist/video-production/order')
  await signInDemoAdmin(page, request)
  await page.goto('/admin/videos')
  const mine = page.getByRole('listitem').filter({ hasText: therapist.email })
  const question = page.getByRole('alertdialog')
  const isDone = async () =>
    (await callAs<{ progress: { state: string } }>(request, therapist, 'GET', '/therapist/video-production'))
      .progress.state
  await mine.getByRole('button', { name: /^Mark as made/ }).click()
  await question.getByRole('button', { name: 'Go back' }).click()
  expect(await isDone()).toBe('ordered')
  await mine.getByRole('button', { name: /^Mark as made/ }).click()
  await question.getByRole('button', { name: 'Mark as made' }).click()
  await expect(mine).toHaveCount(0)
  expect(await isDone()).toBe('done')
  await page.goto('/admin/videos?show=done')
  await mine.getByRole('button', { name: /^Not made after all/ }).click()
  await question.getByRole('button', { name: 'Not made after all' }).click()
  await expect(mine).toHaveCount(0)
  expect(await isDone()).toBe('ordered')
})
