import { looker, screens, walking, walkingTest } from './axe.ts'
import { fillCard } from './booking.ts'
import { expect, test } from './fixtures.ts'
import { demoTherapist, registerTherapist, signInTherapist } from './therapists.ts'

test.use(walkingTest)

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
      json: { code: 'unavailable', message: 'Too much is going on just now.' },
    }),
  )
  await page.goto('/therapist/subscription')
  await expect(page.getByRole('alert')).toHaveCount(4, { timeout: 20_000 })
  await look('subscription, not loaded')
  await page.goto('/therapist/complete')
  await expect(page.getByText('Your card could not be checked')).toBeVisible({ timeout: 20_000 })
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
