import type { FrameLocator, Page } from '@playwright/test'
import { startStripe, type StripeStandIn, stripeKeys } from '../test/stripe.ts'
import { pounds, startPaying, upcoming } from './booking.ts'
import { breakCalls } from './broken-calls.ts'
import { expect } from './fixtures.ts'
import { test as ownServer } from './own-server.ts'
import { register, signIn } from './people.ts'

/** What stands in for Stripe during a test. */
let stripe: StripeStandIn

/** The product on it, and the pages on what stands in for Stripe.js: another origin. */
const test = ownServer.extend({
  environment: async ({ seed }, use) => {
    stripe = await startStripe()
    await use(async () => ({
      SEED: seed,
      PAYMENT_GATEWAY: 'stripe',
      STRIPE_SECRET_KEY: stripeKeys.secretKey,
      STRIPE_PUBLISHABLE_KEY: stripeKeys.publishableKey,
      STRIPE_WEBHOOK_SECRET: stripeKeys.webhookSecret,
      STRIPE_API_BASE: stripe.url,
      STRIPE_JS_URL: `${stripe.url}/stripe.js`,
    }))
    await stripe.stop()
  },
})

/** Requests that the pages may make to another origin. */
const elsewhere = () => new RegExp(`^request to another origin: ${stripe.url}/`)

async function fillCard(page: Page, number: string): Promise<void> {
  const field = (title: string) => page.frameLocator(`iframe[title="${title}"]`).getByRole('textbox')
  await field('Secure card number input frame').fill(number)
  await field('Secure expiration date input frame').fill('12 / 34')
  await field('Secure CVC input frame').fill('123')
  await page.getByLabel('Remember the card for the next sessions').check()
}
const bank = (page: Page): FrameLocator => page.frameLocator('iframe[title="Bank check"]')

test("a card is typed into Stripe's fields, the bank asks in its own window, and a session is paid", async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(elsewhere())
  allowComplaint(/status of 402.*(existing-card-payment|confirm-authentication|browser\/setup)/)
  const { offer, account } = await startPaying(page, request, info)
  const pay = page.getByRole('button', { name: `Save card and pay ${pounds(offer.service.fee)}` })

  // Nothing filled in: all of it is named at once, and the focus goes to the first field.
  await expect(page.getByText('This is a demo')).toBeHidden()
  await pay.click()
  await expect(page.getByRole('group', { name: 'Card number' })).toContainText('Enter the number')
  await expect(page.getByRole('group', { name: 'After this session' })).toContainText(
    'Choose what happens to the card.',
  )
  await expect(page.frameLocator('iframe[title^="Secure card"]').getByRole('textbox')).toBeFocused()

  await fillCard(page, '4000 0000 0000 0002')
  await pay.click()
  await expect(page.getByRole('alert')).toContainText('Your card was declined.')

  // The bank asks when the card is saved, and again when it is to pay; the first answer to that is wrong.
  await fillCard(page, '4000 0025 0000 3155')
  await pay.click()
  await bank(page).getByRole('button', { name: 'Complete authentication' }).click()
  await expect(bank(page).getByRole('button', { name: 'Fail authentication' })).toBeVisible()
  await bank(page).getByRole('button', { name: 'Fail authentication' }).click()
  await expect(page.getByRole('alert')).toContainText('could not confirm that it was you')
  expect(await upcoming(request, account)).toEqual([])
  await page.getByRole('button', { name: 'Try again with Visa ending in 3155' }).click()
  await bank(page).getByRole('button', { name: 'Complete authentication' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Session is booked' })).toBeVisible()
  expect(await upcoming(request, account)).toMatchObject([{ status: 'confirmed' }])

  const intents = await stripe.objects('payment_intent')
  expect(intents.map((intent) => [intent.status, intent.amount])).toEqual([
    ['succeeded', offer.service.fee * 100],
    ['requires_payment_method', offer.service.fee * 100],
  ])
  // The card went from Stripe's own frame to Stripe: our server has only passed on names.
  expect(JSON.stringify(await stripe.heard())).not.toMatch(/4000000000000002|4000002500003155/)

  // Elsewhere the card is listed, and removed at Stripe too.
  await page.goto('/account/cards')
  await page.getByRole('button', { name: 'Remove Visa ending in 3155' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove card' }).click()
  await expect(page.getByRole('heading', { name: 'No card is saved' })).toBeVisible()
  await expect.poll(async () => (await stripe.objects('payment_method'))[0]?.customer).toBeNull()
})

test('a card corrected while Stripe saves the one before is the one that a second try saves and charges', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(elsewhere())
  allowComplaint(/Failed to load resource/)
  const { account } = await startPaying(page, request, info)
  const pay = page.getByRole('button', { name: /^Save card and pay/ })
  await fillCard(page, '4242 4242 4242 4242')
  const saved = Promise.withResolvers<void>()
  const corrected = Promise.withResolvers<void>()
  await page.route('**/browser/setup', async (route) => {
    const response = await route.fetch()
    saved.resolve()
    await corrected.promise
    await route.fulfill({ response })
  })
  const outage = await breakCalls(page, '**/add-new-card')
  await pay.click()
  await saved.promise
  await fillCard(page, '5555 5555 5555 4444')
  corrected.resolve()
  await expect(page.getByRole('alert')).toContainText('Your card was not saved')
  await outage.mend()

  await pay.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Session is booked' })).toBeVisible()
  expect(await upcoming(request, account)).toMatchObject([{ status: 'confirmed' }])
  await page.goto('/account/cards')
  await expect(page.getByRole('button', { name: /^Remove / })).toHaveAccessibleName(/4444/)
})

test('an approval given to the bank counts on a page that was discarded meanwhile', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(elsewhere())
  allowComplaint(/status of 402.*(existing-card-payment|confirm-authentication|browser\/setup)/)
  allowComplaint(/Failed to load resource.*confirm-authentication/)
  const { offer, account } = await startPaying(page, request, info)
  await fillCard(page, '4000 0025 0000 3155')
  await page.getByRole('button', { name: /^Save card and pay/ }).click()
  await bank(page).getByRole('button', { name: 'Complete authentication' }).click()
  await page.route('**/confirm-authentication', (route) => route.abort())
  await expect(bank(page).getByRole('button', { name: 'Fail authentication' })).toBeVisible()
  const left = page.waitForRequest('**/confirm-authentication')
  await bank(page).getByRole('button', { name: 'Complete authentication' }).click()
  await left
  await page.reload()
  await page.unroute('**/confirm-authentication')
  expect(await upcoming(request, account)).toEqual([])

  await page.getByRole('button', { name: 'Finish booking' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Session is booked' })).toBeVisible()
  expect(await upcoming(request, account)).toMatchObject([{ status: 'confirmed' }])
  const intents = await stripe.objects('payment_intent')
  expect(intents.map((intent) => [intent.status, intent.amount])).toEqual([
    ['succeeded', offer.service.fee * 100],
  ])
})

test('a payment script that does not come is said, and can be tried again', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(elsewhere())
  allowComplaint(/Failed to load resource/)
  const account = await register(request)
  await signIn(page, account)
  await page.route(`${stripe.url}/stripe.js`, (route) => route.abort())
  await page.goto('/add-card')
  const said = page.getByRole('alert')
  await expect(said).toContainText('The card fields did not load')
  await page.unroute(`${stripe.url}/stripe.js`)
  await said.getByRole('button', { name: 'Try again' }).click()
  await fillCard(page, '4242 4242 4242 4242')
  await page.getByRole('button', { name: 'Add card' }).click()
  await expect(page).toHaveURL('/my-sessions')
})
