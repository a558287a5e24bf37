import { readFileSync } from 'node:fs'
import { fillCard } from './booking.ts'
import { expect, test } from './fixtures.ts'
import { callAs } from './people.ts'
import { demoTherapist, registerTherapist, signInTherapist } from './therapists.ts'

const dashboard = '/therapist/dashboard'

test('a card is added, and the subscription begins with the approval', async ({ page, request }) => {
  const account = await registerTherapist(request)
  await signInTherapist(page, account)
  await page.goto('/therapist/subscription')
  await expect(page.getByRole('heading', { name: 'You have no subscription' })).toBeVisible()
  await expect(page.getByText('It costs £30 a month')).toBeVisible()
  await page.getByRole('link', { name: 'Enable subscription' }).click()

  await expect(page.getByRole('heading', { level: 1, name: 'Adding new card' })).toBeVisible()
  const button = page.getByRole('button', { name: 'Save card and subscribe' })
  await expect(button).toBeDisabled()
  await fillCard(page)
  await button.click()
  await expect(page).toHaveURL(dashboard)

  await page.goto('/therapist/subscription')
  await expect(
    page.getByRole('heading', { name: 'Your subscription begins with the approval' }),
  ).toBeVisible()
  await expect(page.getByText('Paid with Visa ending in 4242')).toBeVisible()
  await expect(page.getByText('There are none yet.')).toBeVisible()
  await page.reload()
  await expect(
    page.getByRole('heading', { name: 'Your subscription begins with the approval' }),
  ).toBeVisible()

  // The card is changed from the page after completing the profile.
  await page.goto('/therapist/complete')
  await expect(page.getByRole('heading', { level: 1, name: 'Complete profile' })).toBeVisible()
  await page.getByRole('link', { name: 'Update', exact: true }).click()
  await fillCard(page, '5555 5555 5555 4444')
  await page.getByRole('button', { name: 'Save card' }).click()
  await expect(page).toHaveURL(dashboard)
  expect(await callAs(request, account, 'GET', '/therapist/payment/card')).toMatchObject({ last4: '4444' })

  // And it is cancelled before it begins.
  await page.goto('/therapist/subscription')
  await page.getByRole('button', { name: 'Cancel subscription' }).click()
  const question = page.getByRole('alertdialog', { name: 'Cancel your subscription?' })
  await expect(question).toContainText('Nothing has been charged for it')
  await question.getByRole('button', { name: 'Keep subscription' }).click()
  await page.getByRole('button', { name: 'Cancel subscription' }).click()
  await question.getByRole('button', { name: 'Cancel subscription' }).click()
  await expect(page.getByRole('heading', { name: 'You have no subscription' })).toBeVisible()
})

test('a video is ordered once: a card that is declined charges nothing, and the bank may ask', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/status of 402.*video-production/)
  const account = await registerTherapist(request)
  await signInTherapist(page, account)
  await page.goto('/therapist/subscription')
  const video = page.getByRole('region', { name: 'Your introduction on video' })
  await expect(video).toContainText('£10')
  await expect(video).toContainText('instead of £60')

  const addCard = async (link: RegExp | string, number: string) => {
    await page.getByRole('link', { name: link }).click()
    await fillCard(page, number)
    await page.getByRole('button', { name: 'Save card', exact: true }).click()
    await expect(page).toHaveURL('/therapist/subscription')
  }
  await addCard('Add a card to order it', '4000 0000 0000 0002')
  // The card alone: nobody has subscribed.
  await expect(page.getByRole('heading', { name: 'You have no subscription' })).toBeVisible()
  await video.getByRole('button', { name: 'Order for £10' }).click()
  const question = page.getByRole('alertdialog', { name: 'Order the video for £10?' })
  await question.getByRole('button', { name: 'Order and pay £10' }).click()
  await expect(question.getByRole('alert')).toContainText(
    'Your bank declined this card. Nothing was charged.',
  )
  await question.getByRole('button', { name: 'Not now' }).click()
  expect(await callAs(request, account, 'GET', '/therapist/invoices')).toEqual([])

  await page.goto('/therapist/add-card?only=card&return_to=%2Ftherapist%2Fsubscription')
  await fillCard(page, '4000 0025 0000 3155')
  await page.getByRole('button', { name: 'Save card', exact: true }).click()
  await expect(page).toHaveURL('/therapist/subscription')
  await video.getByRole('button', { name: 'Order for £10' }).click()
  await question.getByRole('button', { name: 'Order and pay £10' }).click()
  const bank = page.getByRole('dialog', { name: 'Your bank wants to check that it is you' })
  await bank.getByRole('button', { name: 'Confirm' }).click()
  await expect(video).toContainText('You ordered it on')
  const invoices = page.getByRole('region', { name: 'Invoices' })
  await expect(invoices.getByRole('listitem')).toHaveCount(1)

  const waiting = page.waitForEvent('download')
  await invoices.getByRole('button', { name: /^Invoice \d{4}-\d{4} as PDF$/ }).click()
  const download = await waiting
  expect(download.suggestedFilename()).toMatch(/^hearth-invoice-\d{4}-\d{4}\.pdf$/)
  expect(
    readFileSync(await download.path())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-')
})

test('where it could not be checked it says so, and offers no second subscription', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/status of 503/)
  const account = await registerTherapist(request)
  await signInTherapist(page, account)
  await page.route('**/api/v7/therapist/subscription', (route) =>
    route.fulfill({ status: 503, json: { code: 'unavailable', message: 'Too much is going on just now.' } }),
  )
  await page.goto('/therapist/subscription')
  await expect(page.getByRole('heading', { name: 'Your subscription could not be checked' })).toBeVisible({
    timeout: 20_000,
  })
  await expect(page.getByRole('link', { name: 'Enable subscription' })).toHaveCount(0)
  await page.unroute('**/api/v7/therapist/subscription')
  await page.getByRole('button', { name: 'Try again' }).first().click()
  await expect(page.getByRole('link', { name: 'Enable subscription' })).toBeVisible()
})

test('a card that cannot be saved, or a subscription that cannot begin, keeps what was done', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/status of (422|503)/)
  const account = await registerTherapist(request)
  await signInTherapist(page, account)
  await page.goto('/therapist/add-card')
  await fillCard(page, '4111 1111 1111 1111')
  await page.getByRole('button', { name: 'Save card and subscribe' }).click()
  await expect(page.getByLabel('Card number')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel('Card number')).toHaveValue('4111 1111 1111 1111')

  await page.route('**/subscription/subscribe', (route) =>
    route.fulfill({ status: 503, json: { code: 'unavailable', message: 'Too much is going on just now.' } }),
  )
  await page.getByLabel('Card number').fill('4242 4242 4242 4242')
  await page.getByRole('button', { name: 'Save card and subscribe' }).click()
  await expect(page.getByRole('alert')).toContainText('Your card is saved, and you are not subscribed yet')
  await page.unroute('**/subscription/subscribe')
  await page.getByRole('button', { name: 'Try again with this card' }).click()
  await expect(page).toHaveURL(dashboard)
  expect(await callAs(request, account, 'GET', '/therapist/subscription')).toMatchObject({
    status: 'waiting',
  })
})

test('a paid subscription is cancelled and resumed, and its invoice is saved as a file', async ({
  page,
  request,
}) => {
  const account = await demoTherapist(request)
  await signInTherapist(page, account)
  await page.goto('/therapist/subscription')
  await expect(page.getByRole('heading', { name: 'Your subscription is active' })).toBeVisible()
  await expect(page.getByText('Paid with Visa ending in 4242')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel subscription' }).click()
  const question = page.getByRole('alertdialog', { name: 'Cancel your subscription?' })
  await expect(question).toContainText('Until then clients find you as before')
  await question.getByRole('button', { name: 'Cancel subscription' }).click()
  await expect(page.getByRole('heading', { name: 'Your subscription is cancelled' })).toBeVisible()
  await page.getByRole('button', { name: 'Resume subscription' }).click()
  await expect(page.getByRole('heading', { name: 'Your subscription is active' })).toBeVisible()
  expect(await callAs(request, account, 'GET', '/therapist/subscription')).toMatchObject({ status: 'active' })

  const waiting = page.waitForEvent('download')
  await page
    .getByRole('region', { name: 'Invoices' })
    .getByRole('button', { name: /^Invoice \d{4}-\d{4} as PDF$/ })
    .last()
    .click()
  const download = await waiting
  expect(download.suggestedFilename()).toMatch(/^hearth-invoice-\d{4}-0001\.pdf$/)
  expect(
    readFileSync(await download.path())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-')
})
