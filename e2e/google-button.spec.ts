import { type GoogleStandIn, startGoogle } from '../test/google-identity.ts'
import { expectAlive } from './alive.ts'
import { expect } from './fixtures.ts'
import { test as ownServer } from './own-server.ts'

let google: GoogleStandIn

/** The product with Google's button, drawn by what stands in for Google's script: another origin. */
const test = ownServer.extend({
  environment: async ({ seed: _seed }, use) => {
    google = await startGoogle('hearth-web')
    await use(async (url) => {
      google.state.site = url
      return {
        IDENTITY_ISSUER: google.origin,
        IDENTITY_CLIENT_ID: google.clientId,
        GOOGLE_SIGN_IN_SCRIPT: `${google.origin}/gsi/client`,
      }
    })
    await google.close()
  },
})
test.use({ seed: 'reference' })

test("somebody signs up and in by Google's button; a forged word is refused, and without its script a link leads there", async ({
  page,
  openContext,
  allowComplaint,
}) => {
  allowComplaint(/^request to another origin: http:\/\/127\.0\.0\.1:\d+\/(gsi\/|authorize)/)
  // That there is no account yet, and that a word was refused, are answers.
  allowComplaint(/status of 40[14] .*google-sign-in/)
  const button = (on: typeof page) =>
    on
      .frameLocator('iframe[title="Sign in with Google Button"]')
      .getByRole('button', { name: 'Continue with Google' })
  google.state.person = {
    sub: '110',
    email: 'robin@example.com',
    given_name: 'Robin',
    family_name: 'Hâle',
  }

  await page.goto('/sign-in?return_to=%2Fmy-sessions')
  await expect(button(page)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Continue with Google' })).toHaveCount(0)
  await button(page).click()
  await expect(page.getByRole('heading', { name: 'Need to create an account with this email' })).toBeFocused()
  await expect(page.getByText('Your account will be Robin Hâle, robin@example.com.')).toBeVisible()
  await page.getByLabel('I am 18 or over').check()
  await page.getByLabel(/I accept the/).check()
  await page.getByRole('checkbox', { name: /^I agree that Hearth uses/ }).check()
  await page.getByRole('button', { name: 'Create an account' }).click()
  await expect(page).toHaveURL(/\/send-referal/)

  // In another browser: what names a nonce of this one is of no use there, and the right one is.
  const other = await (await openContext()).newPage()
  const { nonce } = (await (await page.request.get('/api/v7/identity/nonce?bound=true')).json()) as {
    nonce: string
  }
  google.state.forged = { nonce }
  await other.goto('/sign-in')
  await button(other).click()
  await expect(other.getByText('This sign-in could not be confirmed.')).toBeVisible()
  google.state.forged = {}
  await button(other).click()
  await expect(other).toHaveURL(/\/$/)
  await expect(other.getByRole('button', { name: /Robin/ })).toBeVisible()

  // Where the script does not come, the way over Google's own pages stays.
  allowComplaint(/Failed to load resource.*gsi\/client/)
  const blocked = await openContext()
  await blocked.route('**/gsi/client', (route) => route.abort())
  const third = await blocked.newPage()
  await third.goto('/therapist/sign-in')
  await third.getByRole('link', { name: 'Continue with Google' }).click()
  await expect(third.getByRole('heading', { name: 'Choose an account' })).toBeVisible()
})

test("an app from the home screen leads over Google's own pages, without the button", async ({
  page,
  allowComplaint,
}) => {
  allowComplaint(/^request to another origin: http:\/\/127\.0\.0\.1:\d+\/authorize/)
  await page.addInitScript(() => Object.assign(navigator, { standalone: true }))
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto('/sign-in')
  await expectAlive(page)
  await page.getByRole('link', { name: 'Continue with Google' }).click()
  await expect(page.getByRole('heading', { name: 'Choose an account' })).toBeVisible()
  expect(asked).not.toContain('/gsi/client')
})
