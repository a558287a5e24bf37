import { looker } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { walkForm } from './forms.ts'

// The provider is the development stand-in: an OpenID provider that vouches for any name and email.
// A sign-in without an account is answered 404, of which browsers complain.
const noAccount = /status of 404 .*google-sign-in/
const provider = /Continue with a made-up account/

test('a client turns back from the provider once, then signs up by it and signs in again', async ({
  page,
  openContext,
  allowComplaint,
}) => {
  allowComplaint(noAccount)
  const eye = looker(page, ['/sign-in'])
  const email = `robin.${Date.now()}@example.com`
  await page.goto('/sign-in?return_to=%2Fmy-sessions')
  await page.getByRole('link', { name: provider }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('You came back without signing in.')).toBeVisible()
  await expect(page).toHaveURL(/\/sign-in\?return_to=%2Fmy-sessions$/)

  // There is no account with this email yet: the page says so, and asks for the consents.
  await page.getByRole('link', { name: provider }).click()
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByLabel('First name').fill('Robin')
  await page.getByLabel('Last name').fill('Hale')
  await page.getByRole('button', { name: 'Continue' }).click()
  const heading = page.getByRole('heading', { name: 'Need to create an account with this email' })
  await expect(heading).toBeFocused()
  await eye.look('a new account by a provider')
  await expect(page).toHaveURL(/\/sign-in\?return_to=%2Fmy-sessions$/)
  await walkForm(page, 'features/accounts/SocialEntrance', {
    submit: 'Create an account',
    fields: [['I am 18 or over', 'tick'], [/^I accept the/, 'tick'], [/^I agree that Hearth uses/]],
  })
  await page.getByLabel(/I accept the/).check()
  await page.getByRole('checkbox', { name: /^I agree that Hearth uses/ }).check()
  await page.getByRole('button', { name: 'Create an account' }).click()
  await expect(page).toHaveURL(/\/send-referal/)
  await page
    .getByRole('link', { name: 'Skip', exact: true })
    .or(page.getByRole('button', { name: 'Skip', exact: true }))
    .click()
  await expect(page).toHaveURL(/\/my-sessions$/)

  // Another browser of theirs goes straight in, from the sign-up page as well.
  const other = await (await openContext()).newPage()
  await other.goto('/sign-up')
  await other.getByRole('link', { name: provider }).click()
  await other.getByRole('textbox', { name: 'Email' }).fill(email)
  await other.getByRole('button', { name: 'Continue' }).click()
  await expect(other).toHaveURL(/\/$/)
  await expect(other.getByRole('button', { name: /Robin/ })).toBeVisible()
})

test('a practitioner signs up by a provider and begins the profile', async ({ page, allowComplaint }) => {
  allowComplaint(noAccount)
  await page.goto('/therapist/sign-up')
  await page.getByRole('link', { name: provider }).click()
  await page.getByRole('textbox', { name: 'Email' }).fill(`sam.${Date.now()}@example.com`)
  await page.getByLabel('First name').fill('Sam')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
  await page.getByLabel(/I accept the/).check()
  await page.getByRole('button', { name: 'Create an account' }).click()
  await expect(page).toHaveURL(/\/therapist\/easy-steps$/)
})
