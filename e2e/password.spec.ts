import type { Page } from '@playwright/test'
import { announced } from './announced.ts'
import { expect, test } from './fixtures.ts'
import { linkMailed } from './mails.ts'
import { newEmail, password, register, signIn } from './people.ts'

const newPassword = 'seven slow herons'

async function askForLink(page: Page, email: string): Promise<void> {
  await page.goto('/sign-in')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page).toHaveURL('/forgot-password')
  await expect(page.getByRole('heading', { level: 1, name: 'Forgot password' })).toBeVisible()
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send me a link' }).click()
  await expect(page.getByRole('main').getByText('We sent you a message with a new password.')).toBeVisible()
  await expect(announced(page)).toContainText('We sent you a message with a new password.')
}

async function choosePassword(page: Page, first: string, second: string): Promise<void> {
  await page.getByLabel('New password', { exact: true }).fill(first)
  await page.getByLabel('New password again').fill(second)
  await page.getByRole('button', { name: 'Save new password' }).click()
}

test('a forgotten password is replaced by the link from the mail, which works once', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/status of (400|401|404|409|410|422).*(password\/reset|login)/)
  const account = await register(request)
  await askForLink(page, account.email)

  const link = await linkMailed(account.email, '/reset-password')
  expect(link.pathname).toBe('/reset-password')
  const path = link.pathname + link.search
  await page.goto(path)
  await expect(page.getByText(account.email)).toBeVisible()
  await choosePassword(page, newPassword, 'something else entirely')
  await expect(page.getByText('Passwords do not match.')).toBeVisible()
  await choosePassword(page, newPassword, newPassword)

  await expect(page).toHaveURL(/^[^?]*\/sign-in/)
  await expect(
    page.getByRole('main').getByText('Your password is changed. Log in with the new one.'),
  ).toBeVisible()
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByText('Check your password and try again.')).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill(newPassword)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByRole('button', { name: /^Robin.*account$/ })).toBeVisible()

  await page.goto(path)
  await choosePassword(page, 'another three words', 'another three words')
  const refusal = page.getByRole('alert')
  await expect(refusal).toContainText('Something went wrong')
  await expect(refusal).toContainText(
    'This link has expired or has already been used. A link works once, for one hour; ask for a new one.',
  )
  await refusal.getByRole('link', { name: 'ask for a new one' }).click()
  await expect(page).toHaveURL('/forgot-password')
})

test('a new password ends the sign-ins elsewhere', async ({ page, request, openContext, allowComplaint }) => {
  allowComplaint(/status of 401/)
  const account = await register(request)
  const elsewhere = await (await openContext()).newPage()
  await signIn(elsewhere, account)
  await elsewhere.goto('/my-sessions')
  await expect(elsewhere.getByText("Sorry, but you don't have any sessions to show.")).toBeVisible()

  await askForLink(page, account.email)
  const link = await linkMailed(account.email, '/reset-password')
  await page.goto(link.pathname + link.search)
  await choosePassword(page, newPassword, newPassword)
  await expect(page.getByRole('main').getByText('Your password is changed.')).toBeVisible()
  await elsewhere.reload()
  await expect(elsewhere.getByRole('heading', { level: 1, name: 'Login as patient' })).toBeVisible()
})

test('a new password signs this tab out as well, but not another account', async ({
  page,
  request,
  openContext,
  allowComplaint,
}) => {
  // What the page reads may come after the sign-in has ended.
  allowComplaint(/status of 401/)
  const account = await register(request)
  await signIn(page, account)
  await page.goto('/')
  await expect(page.getByRole('button', { name: /^Robin.*account$/ })).toBeVisible()
  await request.post('/api/v7/client/forgot-password', { data: { email: account.email } })
  const link = await linkMailed(account.email, '/reset-password')
  // Without the socket, over which the server would end the sign-in a moment later.
  await page.routeWebSocket(/\/socket\//, () => {})
  await page.goto(link.pathname + link.search)
  await choosePassword(page, newPassword, newPassword)
  await expect(
    page.getByRole('main').getByText('Your password is changed. Log in with the new one.'),
  ).toBeVisible()
  expect(await page.evaluate(() => sessionStorage.getItem('accessToken'))).toBeNull()

  const other = await register(request, 'Sam Okafor')
  const elsewhere = await (await openContext()).newPage()
  await signIn(elsewhere, other)
  await request.post('/api/v7/client/forgot-password', { data: { email: account.email } })
  let next: URL | undefined
  await expect(async () => {
    next = await linkMailed(account.email, '/reset-password')
    expect(next.search).not.toBe(link.search)
  }).toPass()
  await elsewhere.goto(`${next?.pathname}${next?.search}`)
  await choosePassword(elsewhere, 'another three words', 'another three words')
  await expect(
    elsewhere.getByRole('main').getByText('Your password is changed. Log in with the new one.'),
  ).toBeVisible()
  await elsewhere.goto('/')
  await expect(elsewhere.getByRole('button', { name: /^Sam.*account$/ })).toBeVisible()
})

test('asking for a link says the same for an address without an account', async ({ page }) => {
  await askForLink(page, newEmail())
})

test('a reset link that was cut short is named incomplete and offers a new one', async ({ page }) => {
  await page.goto('/reset-password?token=abc')
  await expect(page.getByText('This link is incomplete')).toBeVisible()
  await page.getByRole('link', { name: 'Send me a new link' }).click()
  await expect(page).toHaveURL('/forgot-password')
})
