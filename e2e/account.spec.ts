import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { bookByApi, ownPractitioner } from './booking.ts'
import { logIn } from './client-screens.ts'
import { expect, test } from './fixtures.ts'
import { walkForm } from './forms.ts'
import { linkMailed, mailTo } from './mails.ts'
import { callAs, newEmail, password, register, signIn } from './people.ts'

const newPassword = 'seven slow herons'

/** Opens a part of the account from its page. */
async function open(page: Page, label: string): Promise<void> {
  await page.goto('/account')
  await page.getByRole('main').getByRole('link', { name: label }).click()
}

test('the account is in the menu, for clients alone, and asks a visitor to sign in', async ({
  page,
  request,
}) => {
  const account = await register(request)
  await page.goto('/account/password')
  await expect(page).toHaveURL('/sign-in?return_to=%2Faccount%2Fpassword')
  await logIn(page, account.email)
  await expect(page).toHaveURL('/account/password')
  await page.getByRole('button', { name: /account$/ }).click()
  await page.getByRole('menuitem', { name: 'Account', exact: true }).click()
  await expect(page).toHaveURL('/account')
  await expect(page.getByRole('heading', { level: 1, name: 'Account' })).toBeFocused()
  await page.setViewportSize({ width: 375, height: 700 })
  await page.getByRole('banner').locator('summary').click()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Account' }).click()
  await expect(page.getByRole('banner').locator('details')).not.toHaveAttribute('open')
})

test('a name is changed and shows at once; what was typed stays when it fails', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/status of (422|500).*client\/profile/)
  const account = await register(request, 'Robin Vale')
  await signIn(page, account)
  await open(page, 'Name Robin Vale')
  const name = page.getByLabel('Name')
  await expect(name).toHaveValue('Robin Vale')
  await name.fill('   ')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(name).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByText('Enter a name.')).toBeVisible()

  await name.fill('Robin van der Vale')
  await page.route('**/client/profile', (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({ status: 500, json: { code: 'internal_error', message: 'That did not work.' } })
      : route.fallback(),
  )
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(page.getByRole('alert')).toContainText('Your name was not saved')
  await expect(name).toHaveValue('Robin van der Vale')
  await page.unroute('**/client/profile')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(page).toHaveURL('/account')
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText('Your name is changed.')
  await expect(page.getByRole('main').getByRole('link', { name: 'Name Robin van der Vale' })).toBeVisible()
  await page.getByRole('button', { name: /account$/ }).click()
  await expect(page.getByRole('menu').getByText('Robin van der Vale')).toBeVisible()
  await page.keyboard.press('Escape')

  // A client who leaves before it is saved stays where they went.
  await open(page, 'Name Robin van der Vale')
  const left = Promise.withResolvers<void>()
  await page.route('**/client/profile', async (route) => {
    const response = await route.fetch()
    if (route.request().method() === 'PUT') await left.promise
    await route.fulfill({ response })
  })
  await name.fill('Robin Vale')
  await page.getByRole('button', { name: 'Save name' }).click()
  await page.getByRole('banner').getByRole('link', { name: 'Hearth' }).click()
  await expect(page).toHaveURL('/')
  left.resolve()
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText('Your name is changed.')
  await expect(page).toHaveURL('/')
})

test('two settings that are changed at once both stay, also if the answers come in another order', async ({
  page,
  request,
}) => {
  const account = await register(request)
  await signIn(page, account)
  await page.goto('/account/notices')
  const reminders = page.getByRole('switch', { name: 'Session reminders by email' })
  const mails = page.getByRole('switch', { name: 'Email about unread messages' })
  await expect(reminders).toBeChecked()
  await expect(mails).toBeChecked()
  const second = Promise.withResolvers<void>()
  await page.route('**/api/v7/notices', async (route) => {
    const response = await route.fetch()
    if (route.request().postDataJSON()?.session_reminders === false) await second.promise
    await route.fulfill({ response })
  })
  const first = page.waitForResponse((answer) => answer.request().postDataJSON()?.session_reminders === false)
  await reminders.click()
  await mails.click()
  await expect(mails).not.toBeChecked()
  second.resolve()
  await first
  await expect(reminders).not.toBeChecked()
  await expect(mails).not.toBeChecked()
  expect(await callAs(request, account, 'GET', '/notices')).toMatchObject({
    session_reminders: false,
    unread_mail: false,
  })
})

test('an email changes by the link mailed to the new address, and the old address is notified', async ({
  page,
  request,
  openContext,
  allowComplaint,
}) => {
  allowComplaint(/status of (401|422)/)
  const account = await register(request)
  const next = newEmail()
  await signIn(page, account)
  await open(page, `Email ${account.email}`)
  await page.getByLabel('New email').fill(next)
  await page.getByLabel('Your password', { exact: true }).fill('not my password')
  await page.getByRole('button', { name: 'Send me the link' }).click()
  await expect(page.getByText('Check your password and try again.')).toBeVisible()
  await expect(page.getByLabel('Your password', { exact: true })).toBeFocused()
  await expect(page.getByLabel('New email')).toHaveValue(next)
  await page.getByLabel('Your password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Send me the link' }).click()
  await expect(page.getByRole('status').filter({ hasText: `We sent an email to ${next}` })).toBeVisible()
  await mailTo(account.email, 'asked us to use another email address')
  await page.getByRole('link', { name: 'Back to your account' }).click()
  await expect(page.getByText(`${next} is not confirmed yet`)).toBeVisible()
  await page.reload()
  const replaced = await linkMailed(next, '/confirm-email')
  await page.getByRole('button', { name: 'Send the link again' }).first().click()
  await expect(page.getByText(`We sent a new link to ${next}`)).toBeVisible()
  await expect(page.getByText('Open the link in the email we sent there, until tomorrow')).toBeVisible()
  await expect
    .poll(async () => (await linkMailed(next, '/confirm-email')).hash, { timeout: 20_000 })
    .not.toBe(replaced.hash)

  // Opened on another device without a session, the link asks for the present sign-in and goes on by itself.
  const link = await linkMailed(next, '/confirm-email')
  const elsewhere = await (await openContext()).newPage()
  await elsewhere.goto(link.pathname + link.hash)
  await elsewhere.getByRole('main').getByRole('link', { name: 'Log in', exact: true }).click()
  await logIn(elsewhere, account.email)
  await expect(elsewhere.getByRole('main').getByText('Your email is changed')).toBeVisible()
  await elsewhere.reload()
  await expect(elsewhere.getByRole('main').getByText('Your email is changed')).toBeVisible()
  await mailTo(account.email, 'now has another email address')
  await elsewhere.getByRole('link', { name: 'Go to your account' }).click()
  await expect(elsewhere.getByRole('main').getByRole('link', { name: `Email ${next}` })).toBeVisible()
  await elsewhere.getByRole('button', { name: /account$/ }).click()
  await expect(elsewhere.getByRole('menu').getByText(next)).toBeVisible()

  const another = await (await openContext()).newPage()
  await another.goto('/sign-in?return_to=%2Faccount')
  await logIn(another, account.email)
  await expect(another.getByText('Check your email and try again.')).toBeVisible()
  await logIn(another, next)
  await expect(another).toHaveURL('/account')

  // The link works once, and says what to do.
  await another.goto(link.pathname + link.hash)
  await expect(another.getByRole('alert')).toContainText('This link has expired or has already been used.')
  await expect(another.getByRole('link', { name: 'Ask for another link' })).toBeVisible()
  await another.goto('/confirm-email')
  await expect(another.getByText('Your email may be changed already')).toBeVisible()
})

test('a change of email that waits for its link can be cancelled on the account page', async ({
  page,
  request,
}) => {
  const account = await register(request)
  const next = newEmail()
  await signIn(page, account)
  await open(page, `Email ${account.email}`)
  await page.getByLabel('New email').fill(next)
  await page.getByLabel('Your password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Send me the link' }).click()
  await page.getByRole('link', { name: 'Back to your account' }).click()
  await page.getByRole('button', { name: 'Keep my present email' }).click()
  await expect(page.getByRole('main').getByText('Your email stays as it is')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('main').getByRole('link', { name: `Email ${account.email}` })).toBeVisible()
  await expect(page.getByText(next)).toBeHidden()
})

test('a password is changed, other devices are signed out, and this one is not', async ({
  page,
  request,
  openContext,
  allowComplaint,
}) => {
  allowComplaint(/status of (401|422)/)
  const account = await register(request)
  await page.goto('/sign-in?return_to=%2Faccount%2Fpassword')
  await logIn(page, account.email)
  const elsewhere = await (await openContext()).newPage()
  await signIn(elsewhere, account)
  await elsewhere.goto('/account')
  await expect(elsewhere.getByRole('main').getByRole('link', { name: /^Name/ })).toBeVisible()

  await expect(page.getByRole('heading', { level: 1, name: 'Your password' })).toBeVisible()
  const change = async (present: string, next: string, again: string) => {
    await page.getByLabel('Current password').fill(present)
    await page.getByLabel('New password', { exact: true }).fill(next)
    await page.getByLabel('New password again').fill(again)
    await page.getByRole('button', { name: 'Save new password' }).click()
  }
  await change('not my password', newPassword, 'seven slow heron')
  await expect(page.getByText('Passwords do not match.')).toBeVisible()
  await change('not my password', newPassword, newPassword)
  await expect(page.getByText('Check your password and try again.')).toBeVisible()
  await change(password, 'password1', 'password1')
  await expect(page.getByText('This password is one of the most common ones.')).toBeVisible()
  await change(password, newPassword, newPassword)
  await expect(page).toHaveURL('/account')
  await expect(page.getByText('Your password is changed. Every other device is signed out.')).toBeVisible()
  await mailTo(account.email, 'was changed just now')

  await page.reload()
  await expect(page.getByRole('main').getByRole('link', { name: /^Name/ })).toBeVisible()
  await elsewhere.reload()
  await expect(elsewhere.getByRole('heading', { level: 1, name: 'Login as patient' })).toBeVisible()
  await logIn(elsewhere, account.email)
  await expect(elsewhere.getByText('Check your password and try again.')).toBeVisible()
  await logIn(elsewhere, account.email, newPassword)
  await expect(elsewhere).toHaveURL('/account')
})

test('devices are listed; one is signed out, then all', async ({
  page,
  request,
  openContext,
  allowComplaint,
}) => {
  allowComplaint(/status of 401/)
  const account = await register(request)
  await page.goto('/sign-in?return_to=%2Faccount%2Fdevices')
  await logIn(page, account.email)
  const devices = page.getByRole('list', { name: 'Signed-in devices' }).getByRole('listitem')
  await expect(devices).toHaveCount(2)
  await expect(devices.filter({ hasText: 'This device' })).toContainText('Chrome on Linux')

  await expect(page.getByRole('link', { name: 'your calendar link' })).toHaveAttribute(
    'href',
    '/account/calendar',
  )

  // The sign-in that registering began.
  await devices
    .filter({ hasText: 'An unknown device' })
    .getByRole('button', { name: /^Sign out/ })
    .click()
  await expect(devices).toHaveCount(1)
  await expect(page.getByRole('list', { name: 'Signed-in devices' })).toBeFocused()
  const refused = await request.get('/api/v7/client/profile', {
    headers: { authorization: `Bearer ${account.token}` },
  })
  expect(refused.status()).toBe(401)

  const elsewhere = await (await openContext()).newPage()
  await elsewhere.goto('/sign-in?return_to=%2Faccount')
  await logIn(elsewhere, account.email)
  await expect(elsewhere.getByRole('main').getByRole('link', { name: /^Name/ })).toBeVisible()
  await page.reload()
  await expect(devices).toHaveCount(2)

  // What has been chosen by the time that a device is signed out keeps the focus.
  const everywhere = page.getByRole('button', { name: 'Sign out everywhere' })
  const chosen = Promise.withResolvers<void>()
  await page.route('**/login-sessions/*', async (route) => {
    await chosen.promise
    await route.fallback()
  })
  await devices.getByRole('button', { name: /^Sign out/ }).click()
  await everywhere.focus()
  chosen.resolve()
  await expect(devices).toHaveCount(1)
  await expect(everywhere).toBeFocused()
  await everywhere.click()
  const question = page.getByRole('alertdialog', { name: 'Sign out everywhere?' })
  await question.getByRole('button', { name: 'Stay signed in' }).click()
  await expect(question).toBeHidden()
  const shortlist = "localStorage.getItem('shortlist')"
  await page.evaluate("localStorage.setItem('shortlist', '[]')")
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await question.getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page).toHaveURL('/sign-in')
  await expect(page.getByText('You are signed out everywhere.')).toBeVisible()
  expect(await page.evaluate(shortlist)).toBeNull()
  await elsewhere.reload()
  await expect(elsewhere.getByRole('heading', { level: 1, name: 'Login as patient' })).toBeVisible()

  // Another client who signs in at the same tab sees nothing of the former one.
  const other = await register(request, 'Olive Other')
  await logIn(page, other.email)
  await expect(page).toHaveURL('/')
  await page.getByRole('button', { name: /account$/ }).click()
  await page.getByRole('menuitem', { name: 'Account', exact: true }).click()
  await expect(page.getByRole('main').getByRole('link', { name: 'Name Olive Other' })).toBeVisible()
  await expect(page.getByText(account.email)).toHaveCount(0)
})

test('a client downloads all their personal data as a readable file', async ({ page, request }, info) => {
  const offer = await ownPractitioner(request, info)
  const account = await register(request, 'Robin Vale')
  await bookByApi(request, account, offer, offer.times[0] ?? '')
  await signIn(page, account)
  await open(page, 'A copy of your data')
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download my data' }).click()
  const file = await saved
  expect(file.suggestedFilename()).toMatch(/^hearth-data-\d{4}-\d\d-\d\d\.json$/)
  await expect(page.getByRole('status').filter({ hasText: 'Your file is ready' })).toBeVisible()
  const text = readFileSync(await file.path(), 'utf8')
  expect(text.split('\n').length).toBeGreaterThan(30)
  const { read_me, sections } = JSON.parse(text) as {
    read_me: string[]
    sections: { title: string; entries: Record<string, unknown>[] }[]
  }
  expect(read_me[0]).toContain('what Hearth keeps about you')
  const entries = (title: string) => sections.find((section) => section.title === title)?.entries
  expect(entries('Your account')).toMatchObject([{ name: 'Robin Vale', email: account.email }])
  expect(entries('Your sessions')).toMatchObject([{ practitioner: offer.name, starts_at: offer.times[0] }])
  expect(entries('Your saved cards')).toMatchObject([{ brand: 'visa', last_four_digits: '4242' }])
})

test('an account is deleted once nothing stands in the way, and nothing of it is left to see', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(/status of (401|409|422)/)
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  const { session_id } = await bookByApi(request, account, offer, offer.times[0] ?? '')
  await signIn(page, account)
  await open(page, 'Delete your account')
  await expect(page.getByRole('main').getByText('Your account cannot be deleted yet')).toBeVisible()
  await expect(page.getByRole('main').getByText(`You have a session with ${offer.name}.`)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Delete my account' })).toHaveCount(0)
  await page.getByRole('link', { name: 'See what you can do' }).click()
  await expect(page).toHaveURL('/my-sessions')
  await callAs(request, account, 'POST', '/appointment/cancel-session', { appointment_id: session_id })

  await open(page, 'Delete your account')
  await page.getByText('Everything that is kept, and for how long').click()
  await expect(page.getByText('Six years after the end of the tax year.').first()).toBeVisible()
  const remove = page.getByRole('button', { name: 'Delete my account' })
  await remove.click()
  await expect(page.getByText('Enter your password.')).toBeVisible()
  await expect(page.getByText('Please confirm that you understand.')).toBeVisible()
  await page.getByLabel('Your password', { exact: true }).fill('not my password')
  await page.getByRole('checkbox').check()
  await remove.click()
  await expect(page.getByText('Check your password and try again.')).toBeVisible()
  await page.getByLabel('Your password', { exact: true }).fill(password)
  await page.evaluate("localStorage.setItem('shortlist', '[]')")
  await remove.click()

  await expect(page).toHaveURL('/goodbye')
  expect(await page.evaluate("localStorage.getItem('shortlist')")).toBeNull()
  await expect(page.getByRole('heading', { level: 1, name: 'Your account is deleted' })).toBeVisible()
  expect(await page.evaluate(() => sessionStorage.getItem('accessToken'))).toBeNull()
  await mailTo(account.email, 'This is our last email to you.')
  await page.goBack()
  await expect(page.getByRole('main')).not.toContainText(account.email)
  await page.goto('/sign-in')
  await logIn(page, account.email)
  await expect(page.getByText('Check your email and try again.')).toBeVisible()
})

test('what comes up while the form is open takes its place', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(/status of 409/)
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  await signIn(page, account)
  await open(page, 'Delete your account')
  await page.getByLabel('Your password', { exact: true }).fill(password)
  await page.getByRole('checkbox').check()
  await bookByApi(request, account, offer, offer.times[0] ?? '')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await expect(page.getByRole('main').getByText('Your account cannot be deleted yet')).toBeVisible()
  await expect(page.getByRole('main').getByText(`You have a session with ${offer.name}.`)).toBeVisible()
  await page.goto('/terms-and-conditions')
  await expect(page.getByText(/close it at any time when no session .* is still ahead/)).toBeVisible()
})

test('the privacy policy says what is kept after a deletion', async ({ page }) => {
  await page.goto('/privacy-policy#deleted')
  await expect(page.getByRole('heading', { name: 'When you delete your account' })).toBeInViewport()
  await expect(page.getByText(/Sessions that were paid for: with whom, when/)).toBeVisible()
})

test('the privacy policy and the questions say who sees a message that was reported', async ({ page }) => {
  for (const path of ['/privacy-policy', '/frequently-asked-questions']) {
    await page.goto(path)
    await expect(page.getByRole('main')).toContainText(/one of you reports the conversation/)
  }
})

test('a client of before is asked for the consent to the use of health data, and no more once it is given', async ({
  page,
  request,
}) => {
  await signIn(page, await register(request, 'Robin Vale', { health_consent: null }))
  await page.goto('/my-sessions')
  const question = page.getByRole('region', { name: 'What you share about your health' })
  await walkForm(page, 'features/accounts/AskHealthConsent', {
    within: question,
    submit: 'Agree',
    fields: [[/^I agree that Hearth uses/]],
  })
  await page.goto('/account')
  await question.getByRole('checkbox').check()
  await question.getByRole('button', { name: 'Agree' }).click()
  const main = page.getByRole('main')
  await expect(main.getByText('Thank you. Your agreement is saved.')).toBeVisible()
  await expect(question).toBeHidden()
  await expect(main.locator(':focus')).toContainText('Your agreement is saved.')

  // When it was given, and the way to end it.
  await main.getByRole('link', { name: 'Data about your health' }).click()
  await expect(main.getByRole('region', { name: 'What you agreed to' })).toContainText(
    /On [A-Z][a-z]+day \d+ [A-Z][a-z]+ you agreed/,
  )
  await main.getByRole('link', { name: 'End it and delete my account' }).click()
  await expect(page).toHaveURL('/account/delete')
  await expect(main.getByRole('button', { name: 'Delete my account' })).toBeVisible()
  await page.goto('/my-sessions')
  await expect(main.getByRole('heading', { name: 'My Sessions' })).toBeVisible()
  await expect(main.getByText("you don't have any sessions to show")).toBeVisible()
  await expect(question).toBeHidden()
})
