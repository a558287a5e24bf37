import { looker, screens, walking } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { newEmail, password } from './people.ts'

test.use(walking)

test('joining as a therapist', async ({ page, allowComplaint }) => {
  allowComplaint(/status of 422/)
  const { look, expectAllSeen } = looker(page, screens.joining)
  await page.goto('/therapist/sign-up')
  await look('sign-up')
  await page.getByRole('button', { name: 'Create an account' }).click()
  await expect(page.getByText('Enter your first name.')).toBeVisible()
  await look('sign-up, with errors')
  await page.getByLabel('First name').fill('Mary Ann')
  await page.getByLabel('Last name').fill('Okafor')
  await page.getByLabel('Email').fill(newEmail())
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('checkbox', { name: /^I accept the Terms/ }).check({ force: true })
  await page.getByRole('button', { name: 'Create an account' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Your profile in three steps' })).toBeVisible()
  await look('easy steps')
  expectAllSeen()
})
