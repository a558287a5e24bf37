import type { Page } from '@playwright/test'
import { bookByApi, ownPractitioner } from './booking.ts'
import { logIn } from './client-screens.ts'
import { expect, test } from './fixtures.ts'
import { linkMailed, mailTo } from './mails.ts'
import { callAs, newEmail, password, register, signIn } from './people.ts'
import { registerTherapist, signInTherapist } from './therapists.ts'
import { linkIn, tokenOf } from '#test/mails.ts'

const pathOf = (link: URL) => link.pathname + link.search + link.hash

/** The addresses and Referer headers of every request of a page from now on. */
function sentBy(page: Page): string[] {
  const sent: string[] = []
  page.on('request', (request) => {
    // Browsers send no fragment.
    sent.push(request.url().replace(/#.*/, ''), request.headers().referer ?? '')
  })
  return sent
}

test('a link opened signed out confirms nothing until its account is signed in, and then by itself', async ({
  page,
  request,
}) => {
  const account = await register(request)
  const isConfirmed = async () =>
    (await callAs<{ email_verified: boolean }>(request, account, 'GET', '/client/profile')).email_verified
  const link = await linkMailed(account.email, '/verify-email')
  const token = tokenOf(link)
  expect(token).not.toBe('')
  // A program that looks into mail fetches the address.
  for (let time = 0; time < 3; time++) expect((await request.get(pathOf(link))).status()).toBe(200)
  expect(await isConfirmed()).toBe(false)

  const sent = sentBy(page)
  await page.goto(pathOf(link))
  await expect(page.getByText('Log in to confirm your email')).toBeVisible()
  await expect(page).toHaveURL('/verify-email')
  expect(await isConfirmed()).toBe(false)
  await page.getByRole('main').getByRole('link', { name: 'Log in', exact: true }).click()
  await expect(page).toHaveURL('/sign-in?return_to=%2Fverify-email')
  await logIn(page, account.email)
  await expect(page.getByRole('status').filter({ hasText: 'Your email is confirmed' })).toBeVisible()
  expect(await isConfirmed()).toBe(true)
  expect(sent.filter((text) => text.includes(token))).toEqual([])
  await page.getByRole('link', { name: 'Go to your account' }).click()
  await expect(page.getByRole('main').getByRole('link', { name: /^Email / })).toHaveText(
    new RegExp(`${account.email}$`),
  )
  await expect(page.getByText('not confirmed')).toHaveCount(0)
})

test('a link of another account confirms nothing, says so, and works after logging in to its own', async ({
  page,
  request,
  allowComplaint,
}) => {
  // A background call that was under way when the account was left is answered 401.
  allowComplaint(/status of 40[13]/)
  const [mine, other] = [await register(request), await register(request, 'Sam Reed')]
  const link = await linkMailed(other.email, '/verify-email')
  await signIn(page, mine)
  await page.goto(pathOf(link))
  await expect(page.getByRole('main').getByText('This link is for another account')).toBeVisible()
  await expect(page.getByRole('main')).toContainText(`You are logged in here as ${mine.email}.`)
  for (const account of [mine, other]) {
    expect(await callAs(request, account, 'GET', '/client/profile')).toMatchObject({ email_verified: false })
  }
  await page.getByRole('button', { name: 'Use another account' }).click()
  await logIn(page, other.email)
  await expect(page.getByRole('main').getByText('Your email is confirmed', { exact: true })).toBeVisible()
  expect(await callAs(request, other, 'GET', '/client/profile')).toMatchObject({ email_verified: true })
})

test('a link of an older mail, a used link and an incomplete one lead on', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/status of 422/)
  const account = await register(request)
  const first = await linkMailed(account.email, '/verify-email')
  await signIn(page, account)
  await page.goto('/account')
  await page.getByRole('button', { name: 'Send the link again' }).click()
  await expect(page.getByText(`We sent a link to ${account.email}`)).toBeVisible()
  const second = linkIn(await mailTo(account.email, 'replaces those that we sent before'))
  expect(tokenOf(second)).not.toBe(tokenOf(first))

  await page.goto(pathOf(first))
  await expect(page.getByRole('alert')).toContainText('This link has expired or has already been used.')
  await expect(page.getByRole('button', { name: 'Send the link again' })).toBeVisible()
  await page.goto('/verify-email')
  await expect(page.getByText('Your email may be confirmed already')).toBeVisible()
  await expect(page.getByRole('main')).not.toContainText('cut long links')
  await expect(page.getByRole('link', { name: 'Go to your account' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send the link again' })).toBeVisible()

  // Older mails have the token in the query.
  await page.goto(`/verify-email?token=${tokenOf(second)}`)
  await expect(page.getByRole('main').getByText('Your email is confirmed', { exact: true })).toBeVisible()
  await expect(page).toHaveURL('/verify-email')
  await page.reload()
  await expect(page.getByRole('main').getByText('Your email is confirmed', { exact: true })).toBeVisible()
  await expect(page).toHaveURL('/verify-email')
  // Opened once more, the link still shows the email as confirmed.
  await page.goto(`/verify-email?token=${tokenOf(second)}#again`)
  await expect(page.getByRole('main').getByText('Your email is confirmed', { exact: true })).toBeVisible()
})

test('until it is confirmed, home, My Sessions and the booked page send the link and hand over the session', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(/status of 429/)
  const account = await register(request)
  const offer = await ownPractitioner(request, info)
  const { session_id: id } = await bookByApi(request, account, offer, offer.times[0] ?? '')
  await signIn(page, account)
  for (const path of ['/', '/my-sessions', `/session-is-booked?session=${id}`]) {
    await page.goto(path)
    const notice = page.getByText('Your email is not confirmed yet')
    await expect(notice).toBeVisible()
    await page.getByRole('button', { name: 'Send the link again' }).click()
    await expect(page.getByText(`We sent a link to ${account.email}`)).toBeVisible()
  }
  for (const path of [`/session-is-booked?session=${id}`, '/my-sessions']) {
    await page.goto(path)
    await expect(page.getByRole('link', { name: /room of the session with/ })).toHaveAttribute(
      'href',
      /^https:/,
    )
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: /^Add to calendar: session with / }).click()
    expect((await download).suggestedFilename()).toBe('session.ics')
  }

  // Refused for now, it says when the next one can be had.
  await page.route('**/client/resend-verification', (route) =>
    route.fulfill({
      status: 429,
      headers: { 'retry-after': '700' },
      json: { code: 'too_many_requests', message: 'Too many attempts.' },
    }),
  )
  await page.getByRole('button', { name: 'Send the link again' }).click()
  await expect(page.getByText('You can ask for another in 12 minutes.')).toBeVisible()
})

test('a practitioner confirms by the link of the welcome, or by another from the dashboard', async ({
  page,
  request,
}) => {
  const therapist = await registerTherapist(request)
  await signInTherapist(page, therapist)
  await page.goto('/therapist/dashboard')
  await page.getByRole('button', { name: 'Send the link again' }).click()
  await expect(page.getByText(`We sent a link to ${therapist.email}`)).toBeVisible()
  const link = linkIn(await mailTo(therapist.email, 'replaces those that we sent before'))
  await page.goto(pathOf(link))
  await expect(page.getByRole('main').getByText('Your email is confirmed', { exact: true })).toBeVisible()
  await page.goto('/therapist/account')
  await expect(page.getByRole('main').getByRole('link', { name: `Email ${therapist.email}` })).toBeVisible()
  await expect(page.getByText('not confirmed')).toHaveCount(0)
})

test('an older link of a practitioner, on the page for both, is confirmed by their own sign-in', async ({
  page,
  request,
}) => {
  const therapist = await registerTherapist(request)
  const link = await linkMailed(therapist.email, '/therapist/verify-email')
  await page.goto(`/verify-email?token=${tokenOf(link)}`)
  await page.getByRole('link', { name: 'Log in as a therapist' }).click()
  await expect(page).toHaveURL('/therapist/sign-in?return_to=%2Fverify-email')
  await logIn(page, therapist.email)
  await expect(page.getByRole('main').getByText('Your email is confirmed', { exact: true })).toBeVisible()
})

test('an address that is not one’s own is replaced from the notice', async ({ page, request }) => {
  const account = await register(request)
  const next = newEmail()
  await signIn(page, account)
  await page.goto('/my-sessions')
  await page.getByRole('link', { name: 'Use another address' }).click()
  await page.getByLabel('New email').fill(next)
  await page.getByLabel('Your password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Send me the link' }).click()
  await page.goto(pathOf(await linkMailed(next, '/confirm-email')))
  await expect(page.getByRole('main').getByText('Your email is changed')).toBeVisible()
  await page.goto('/my-sessions')
  await expect(page.getByRole('heading', { level: 1, name: 'My Sessions' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  await expect(page.getByText('not confirmed')).toHaveCount(0)
})
