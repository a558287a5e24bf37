import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { fillCard } from './booking.ts'
import { expect, test } from './fixtures.ts'
import { approve, handInProfile } from './admin.ts'
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
  await button.click()
  await expect(page.getByLabel('Card number')).toBeFocused()
  await expect(page.getByLabel('Remember the card for my subscription')).toBeVisible()
  await fillCard(page)
  await button.click()
  await expect(page).toHaveURL(dashboard)

  await page.goto('/therapist/subscription')
  await expect(
    page.getByRole('heading', { name: 'Your subscription begins when you are approved' }),
  ).toBeVisible()
  await expect(page.getByText('Paid with Visa ending in 4242')).toBeVisible()
  await expect(page.getByText('None yet.')).toBeVisible()
  await page.reload()
  await expect(
    page.getByRole('heading', { name: 'Your subscription begins when you are approved' }),
  ).toBeVisible()

  // The card is changed from the page after completing the profile.
  await page.goto('/therapist/complete')
  await expect(page.getByRole('heading', { level: 1, name: 'Complete profile' })).toBeVisible()
  await expect(page.getByText('Your profile is not submitted yet')).toBeVisible()
  await expect(page.getByText('We will now check your profile')).toHaveCount(0)
  await page.getByRole('link', { name: 'Update', exact: true }).click()
  await fillCard(page, '5555 5555 5555 4444')
  await page.getByRole('button', { name: 'Save card' }).click()
  await expect(page).toHaveURL(dashboard)
  expect(await callAs(request, account, 'GET', '/therapist/payment/card')).toMatchObject({ last4: '4444' })

  // A card that is only changed begins no subscription where it was cancelled on another device.
  await page.goto('/therapist/add-card')
  await fillCard(page)
  await callAs(request, account, 'POST', '/therapist/subscription/cancel')
  await page.getByRole('button', { name: 'Save card' }).click()
  await expect(page).toHaveURL(dashboard)
  await page.goto('/therapist/subscription')
  await expect(page.getByRole('heading', { name: 'You have no subscription' })).toBeVisible()

  // And it is cancelled before it begins.
  const { payment_method_id } = await callAs<{ payment_method_id: string }>(
    request,
    account,
    'GET',
    '/therapist/payment/card',
  )
  await callAs(request, account, 'POST', '/therapist/subscription/subscribe', { payment_method_id })
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

  const addCard = async (link: string, number: string) => {
    await page.getByRole('link', { name: link }).click()
    await fillCard(page, number)
    await page.getByRole('button', { name: 'Save card', exact: true }).click()
    await expect(page).toHaveURL('/therapist/subscription#video')
  }
  await addCard('Add a card to order it', '4000 0000 0000 0002')
  // Only the card is saved; there is no subscription.
  await expect(page.getByRole('heading', { name: 'You have no subscription' })).toBeVisible()
  await video.getByRole('button', { name: 'Order for £10' }).click()
  const question = page.getByRole('alertdialog', { name: 'Order the video for £10?' })
  await question.getByRole('button', { name: 'Order and pay £10' }).click()
  await expect(question.getByRole('alert')).toContainText(
    'Your bank declined this card. Nothing was charged.',
  )
  await expect(question.getByRole('link', { name: 'Use another card' })).toBeVisible()
  await question.getByRole('button', { name: 'Not now' }).click()
  expect(await callAs(request, account, 'GET', '/therapist/invoices')).toEqual([])

  await addCard('Use another card', '4000 0025 0000 3155')
  await expect(page.getByRole('heading', { name: 'You have no subscription' })).toBeVisible()
  await video.getByRole('button', { name: 'Order for £10' }).click()
  await question.getByRole('button', { name: 'Order and pay £10' }).click()
  const bank = page.getByRole('dialog', { name: 'Your bank wants to check that it is you' })
  await bank.getByRole('button', { name: 'Confirm' }).click()
  await expect(video).toContainText('You ordered it on')
  await expect(video.getByRole('heading', { name: 'Your introduction on video' })).toBeFocused()
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
    route.fulfill({ status: 503, json: { code: 'unavailable', message: 'We are very busy at the moment.' } }),
  )
  await page.goto('/therapist/subscription')
  await expect(page.getByRole('heading', { name: 'Your subscription could not be checked' })).toBeVisible({
    timeout: 20_000,
  })
  await expect(page.getByRole('link', { name: 'Enable subscription' })).toHaveCount(0)
  await page.goto('/therapist/add-card')
  await expect(page.getByRole('heading', { name: 'Your subscription could not be checked' })).toBeVisible({
    timeout: 20_000,
  })
  await expect(page.getByLabel('Card number')).toHaveCount(0)
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Your subscription could not be checked' })).toBeVisible({
    timeout: 20_000,
  })
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
    route.fulfill({ status: 503, json: { code: 'unavailable', message: 'We are very busy at the moment.' } }),
  )
  await page.getByLabel('Card number').fill('4242 4242 4242 4242')
  await page.getByRole('button', { name: 'Save card and subscribe' }).click()
  await expect(page.getByRole('alert')).toContainText('Your card is saved, but you are not subscribed yet')
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
  await expect(question).toContainText('Until then clients can find you as before')
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

/** What leads on about the subscription, wherever it is on the dashboard. */
const callsToAct = (page: Page) =>
  page.getByRole('main').getByRole('link', {
    name: /^(Enable subscription|Pay it now|Manage your subscription|Resume subscription)$/,
  })

test('a declined card is never called a subscription, before the approval or after it', async ({
  page,
  request,
  allowComplaint,
}) => {
  test.setTimeout(120_000)
  allowComplaint(/status of 402/)
  const therapist = await handInProfile(request)
  await signInTherapist(page, therapist)
  const neverSubscribed = async () => {
    await expect(page.getByRole('heading', { name: 'Subscription', exact: true })).toBeVisible()
    await expect(page.getByText(/You are subscribed/)).toHaveCount(0)
    await expect(callsToAct(page)).toHaveCount(1)
  }
  await page.goto('/therapist/easy-steps')
  await expect(page.getByText('£30 a month')).toBeVisible()
  await page.goto('/therapist/add-card')
  await expect(page.getByText('which costs £30 a month')).toBeVisible()
  await fillCard(page, '4000 0000 0000 0002')
  await page.getByRole('button', { name: 'Save card and subscribe' }).click()
  await expect(page).toHaveURL(dashboard)
  await neverSubscribed()
  await expect(page.getByText('Once your profile is approved, £30 is charged')).toBeVisible()

  await approve(request, therapist.id)
  await expect(async () => {
    await page.reload()
    await expect(page.getByText('We could not charge £30 for your first month.')).toBeVisible({
      timeout: 2000,
    })
  }).toPass()
  await neverSubscribed()
  await expect(callsToAct(page)).toHaveText('Pay it now')
  await callsToAct(page).click()
  await page.getByRole('button', { name: 'Pay £30 now' }).click()
  await expect(page.getByRole('alert')).toContainText('Your bank declined this card. Nothing was charged.')
  await expect(page.getByText('You have successfully subscribed')).toHaveCount(0)

  // Another card that is declined, too.
  await page.getByRole('link', { name: 'Update card' }).click()
  await fillCard(page, '4000 0000 0000 0002')
  const saving = page.waitForRequest('**/therapist/payment/add-new-card')
  await page.getByRole('button', { name: 'Save card and pay £30' }).click()
  await expect(page.getByRole('alert')).toContainText('Your card is saved, but nothing has been paid yet')
  // The page pays with it next: a call that charges it as well would be declined twice.
  expect((await saving).postDataJSON()).toMatchObject({ charges_due: false })
  expect(await callAs(request, therapist, 'GET', '/therapist/invoices')).toEqual([])
  await page.goto(dashboard)
  await neverSubscribed()

  // On a page that shows what is past due, nothing begins anew where it has been cancelled on another device.
  allowComplaint(/status of 409.*subscription\/subscribe/)
  await page.goto('/therapist/add-card')
  await fillCard(page)
  await callAs(request, therapist, 'POST', '/therapist/subscription/cancel')
  await page.getByRole('button', { name: 'Save card and pay £30' }).click()
  await expect(page.getByRole('alert')).toContainText('There is no payment to make any more')
  expect(await callAs(request, therapist, 'GET', '/therapist/invoices')).toEqual([])

  await page.reload()
  await page.getByRole('button', { name: 'Subscribe with this card' }).click()
  await expect(page).toHaveURL(dashboard)
  await expect(page.getByText('You are subscribed. It renews on')).toBeVisible()
  await expect(callsToAct(page)).toHaveText('Manage your subscription')
})

test('an approved practitioner whose card is declined has no subscription, and one way to one', async ({
  page,
  request,
  allowComplaint,
}) => {
  test.setTimeout(120_000)
  allowComplaint(/status of (402|404)/)
  const therapist = await handInProfile(request)
  await approve(request, therapist.id)
  await signInTherapist(page, therapist)
  await page.goto(dashboard)
  await expect(callsToAct(page)).toHaveText('Enable subscription')
  await callsToAct(page).click()
  await fillCard(page, '4000 0000 0000 0002')
  await page.getByRole('button', { name: 'Save card and subscribe' }).click()
  await expect(page.getByRole('alert')).toContainText('Your card is saved, but you are not subscribed yet')
  await expect(page.getByRole('button', { name: 'Subscribe with this card' })).toHaveCount(0)
  await page.goto(dashboard)
  await expect(page.getByText('You have no subscription.')).toBeVisible()
  await expect(page.getByText(/You are subscribed/)).toHaveCount(0)
  await expect(callsToAct(page)).toHaveText('Enable subscription')

  // The saved card is offered first, and another one if it is declined again.
  await callsToAct(page).click()
  const saved = page.getByRole('region', { name: 'Your saved card' })
  await saved.getByRole('button', { name: 'Subscribe with this card' }).click()
  await expect(saved.getByRole('alert')).toContainText('Your bank declined this card. Nothing was charged.')
  await fillCard(page)
  await page.getByRole('button', { name: 'Save card and subscribe' }).click()
  await expect(page).toHaveURL(dashboard)
  await expect(page.getByText('You are subscribed. It renews on')).toBeVisible()
})

test('a saved card subscribes without being entered again', async ({ page, request }) => {
  const account = await registerTherapist(request)
  await signInTherapist(page, account)
  await page.goto('/therapist/add-card?only=card&return_to=%2Ftherapist%2Fsubscription')
  await fillCard(page)
  await page.getByRole('button', { name: 'Save card', exact: true }).click()
  await expect(page.getByText('Your saved card: Visa ending in 4242')).toBeVisible()
  await page.getByRole('link', { name: 'Enable subscription' }).click()
  await expect(page.getByRole('heading', { name: 'Or use another card' })).toBeVisible()
  await page.getByRole('button', { name: 'Subscribe with this card' }).click()
  await expect(page).toHaveURL(dashboard)
  expect(await callAs(request, account, 'GET', '/therapist/subscription')).toMatchObject({
    status: 'waiting',
  })
})

test('the dashboard has one call to action for the subscription in each of its states', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/status of 404/)
  const account = await registerTherapist(request)
  await signInTherapist(page, account)
  const soon = '2030-01-01T09:00:00.000Z'
  const live = { price: 30, paid_until: soon, next_charge_at: soon, lapses_at: soon }
  for (const [status, label] of [
    ['waiting', 'Manage your subscription'],
    ['active', 'Manage your subscription'],
    ['past_due', 'Pay it now'],
    ['cancelling', 'Manage your subscription'],
    [null, 'Enable subscription'],
  ] as const) {
    await page.route('**/api/v7/therapist/subscription', (route) =>
      status === null ? route.fallback() : route.fulfill({ json: { status, ...live } }),
    )
    await page.goto(dashboard)
    await expect(callsToAct(page)).toHaveText(label)
    await page.unroute('**/api/v7/therapist/subscription')
  }

  // While a document has expired it takes no payment, and says when it does again.
  await page.route('**/api/v7/therapist/subscription', (route) =>
    route.fulfill({ json: { status: 'past_due', ...live, paused_for: 'documents' } }),
  )
  await page.goto('/therapist/subscription')
  await expect(
    page.getByRole('heading', { name: 'Nothing is charged while a document or licence has expired' }),
  ).toBeVisible()
  await expect(page.getByText('We try again once your documents and licences are valid again')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Pay £30 now' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Update card' }).click()
  await expect(page.getByRole('button', { name: 'Save card', exact: true })).toBeVisible()
})
