import type { Page, Request } from '@playwright/test'
import { bookByApi, bookPath, expectHeld, fillCard, ownPractitioner, upcoming } from './booking.ts'
import { logIn } from './client-screens.ts'
import { expect, test } from './fixtures.ts'
import { type Account, keepInTab, newEmail, password, register, saveCard, signIn } from './people.ts'

const isRefresh = (request: Request) => request.url().endsWith('/refresh-token')

/** Counts the refreshes of a page from now on. */
function refreshesOf(page: Page): { count: number } {
  const refreshes = { count: 0 }
  page.on('request', (request) => {
    if (isRefresh(request)) refreshes.count += 1
  })
  return refreshes
}

/** What the tab keeps under a key. */
function kept(page: Page, key: string): Promise<string | null> {
  return page.evaluate((name) => sessionStorage.getItem(name), key)
}

test('an access token that has run out in the middle of a booking is renewed once, unseen', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(/status of 401/)
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  await saveCard(request, account)
  await signIn(page, account)
  await page.goto(bookPath(offer, offer.times[0] ?? ''))
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await expectHeld(page)

  // Opened again, the page makes several calls at once with a token that is refused.
  await keepInTab(page, { accessToken: 'run-out' })
  const refreshes = refreshesOf(page)
  await page.reload()
  await expectHeld(page)
  expect(refreshes.count).toBe(1)
  expect(await kept(page, 'refreshToken')).not.toBe(account.refreshToken)

  await page.getByRole('button', { name: /^Pay £/ }).click()
  await expect(page).toHaveURL('/my-sessions')
  await expect(page.getByText('Your session is booked')).toBeVisible()
  expect(refreshes.count).toBe(1)
})

test('an access token that runs out while a card is typed does not lose the card', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(/status of 401/)
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  await signIn(page, account)
  await page.goto(bookPath(offer, offer.times[0] ?? ''))
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await fillCard(page)

  // From here on the token that the page holds is refused, as it would be after its fifteen minutes.
  const refreshes = refreshesOf(page)
  await page.route('**/api/v7/**', async (route) => {
    const sent = await route.request().headerValue('authorization')
    if (sent !== `Bearer ${account.token}`) return route.fallback()
    return route.fulfill({ status: 401, json: { code: 'unauthenticated', message: 'Please sign in.' } })
  })
  await page.getByRole('button', { name: /^Save card and pay/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Session is booked' })).toBeVisible()
  expect(refreshes.count).toBe(1)
  expect(await upcoming(request, account)).toHaveLength(1)
})

test('when neither token is good any more, signing in leads back to where one was', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(/status of 401/)
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  await saveCard(request, account)
  await signIn(page, account)
  const path = bookPath(offer, offer.times[0] ?? '')
  await page.goto(path)
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await expectHeld(page)

  await keepInTab(page, { accessToken: 'run-out', refreshToken: 'run-out-too' })
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Login as patient' })).toBeVisible()
  await expect(page.getByText(/^You were signed out, .* or after some time away\./)).toBeVisible()
  expect(await kept(page, 'accessToken')).toBeNull()
  await logIn(page, account.email)
  await expect(page.getByRole('heading', { level: 1, name: 'Check and pay' })).toBeVisible()
  const url = new URL(page.url())
  expect(url.pathname + url.search).toBe(path)
  await expectHeld(page)
})

test('a live connection that ends while it is being made is no complaint, and another one is made', async ({
  page,
  request,
}) => {
  await page.addInitScript(`
    let isFirst = true
    window.WebSocket = class extends WebSocket {
      constructor(url) {
        super(url)
        if (!isFirst) return
        isFirst = false
        queueMicrotask(() => {
          for (const event of ['offline', 'online']) window.dispatchEvent(new Event(event))
        })
      }
    }
  `)
  const sockets: { isClosed: boolean; received: number }[] = []
  page.on('websocket', (socket) => {
    const seen = { isClosed: false, received: 0 }
    sockets.push(seen)
    socket.on('close', () => (seen.isClosed = true))
    socket.on('framereceived', () => seen.received++)
  })
  await signIn(page, await register(request))
  await page.goto('/my-sessions')
  await expect.poll(() => sockets.at(-1)?.received ?? 0).toBeGreaterThan(1)
  expect(sockets.length).toBeGreaterThan(1)
  await expect.poll(() => sockets[0]?.isClosed).toBe(true)
  expect(sockets.at(-1)?.isClosed).toBe(false)
})

test('ten refreshes at once all go on, and so does the page', async ({ page, request }, info) => {
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  await bookByApi(request, account, offer, offer.times[0] ?? '')
  await signIn(page, account)
  await page.goto('/my-sessions')
  await expect(page.getByRole('listitem', { name: offer.name })).toBeVisible()

  const statuses = await page.evaluate(async (refreshToken) => {
    const pairs = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const answer = await fetch('/api/v7/client/refresh-token', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ refresh_token: refreshToken }),
        })
        return (await answer.json()) as { token: string }
      }),
    )
    const answers = await Promise.all(
      pairs.map(({ token }) =>
        fetch('/api/v7/client/profile', { headers: { authorization: `Bearer ${token}` } }),
      ),
    )
    return answers.map((answer) => answer.status)
  }, account.refreshToken)
  expect(statuses).toEqual(Array.from({ length: 10 }, () => 200))

  await page.reload()
  await expect(page.getByRole('listitem', { name: offer.name })).toBeVisible()
})

test('two tabs that refresh at the same moment both go on', async ({
  page,
  context,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(/status of 401/)
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  await bookByApi(request, account, offer, offer.times[0] ?? '')
  const stale: Account = { ...account, token: 'run-out' }
  const duplicate = await context.newPage()
  for (const tab of [page, duplicate]) await signIn(tab, stale)
  const refreshes = [refreshesOf(page), refreshesOf(duplicate)]

  await Promise.all([page.goto('/my-sessions'), duplicate.goto('/my-sessions')])
  for (const tab of [page, duplicate]) {
    await expect(tab.getByRole('listitem', { name: offer.name })).toBeVisible()
    await tab.reload()
    await expect(tab.getByRole('listitem', { name: offer.name })).toBeVisible()
  }
  expect(refreshes).toEqual([{ count: 1 }, { count: 1 }])
})

test('a page for clients asks a visitor to sign in, and then opens', async ({ page, request }) => {
  const account = await register(request)
  await page.goto('/my-sessions')
  await expect(page).toHaveURL('/sign-in?return_to=%2Fmy-sessions')
  await logIn(page, account.email)
  await expect(page).toHaveURL('/my-sessions')
  await expect(page.getByText("Sorry, but you don't have any sessions to show.")).toBeVisible()
})

test('a way back that leads to another site is not followed', async ({ page, request }) => {
  const account = await register(request)
  await page.goto('/sign-in?return_to=%2F%2Fevil.example%2F')
  await logIn(page, account.email)
  await expect(page).toHaveURL('/')
})

test('logging out clears the tab, and the server refuses the old tokens', async ({ page, request }) => {
  const account = await register(request)
  await signIn(page, account)
  await page.goto('/my-sessions')
  await page.getByRole('button', { name: /account$/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
  await expect(
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Log in' }),
  ).toBeVisible()
  for (const key of ['accessToken', 'refreshToken', 'user', 'therapist'])
    expect(await kept(page, key)).toBeNull()

  const profile = await request.get('/api/v7/client/profile', {
    headers: { authorization: `Bearer ${account.token}` },
  })
  expect(profile.status()).toBe(401)
  const refresh = await request.post('/api/v7/client/refresh-token', {
    data: { refresh_token: account.refreshToken },
  })
  expect(refresh.status()).toBe(401)
  await page.goto('/my-sessions')
  await expect(page).toHaveURL(/\/sign-in/)
})

test('a failed sign-in says the same whether or not there is an account', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/status of (401|422).*login/)
  const account = await register(request)
  for (const email of [account.email, newEmail()]) {
    await page.goto('/sign-in')
    await logIn(page, email, 'not my password')
    await expect(page.getByText('Check your email and try again.')).toBeVisible()
    await expect(page.getByText('Check your password and try again.')).toBeVisible()
    await expect(page.getByLabel('Email')).toBeFocused()
    await expect(page.getByLabel('Email')).toHaveValue(email)
    expect(await kept(page, 'accessToken')).toBeNull()
  }
})

test("a practitioner's failed sign-in shows the server's message above the fields", async ({
  page,
  allowComplaint,
}) => {
  allowComplaint(/status of 401.*login/)
  await page.goto('/therapist/sign-in')
  const email = newEmail()
  await logIn(page, email, 'not my password')
  await expect(page.getByRole('alert')).toHaveText('The email or the password is not right.')
  await expect(page.getByText('Check your email and try again.')).toBeHidden()
  await expect(page.getByLabel('Email')).toHaveValue(email)
})

test('sign-up says under each field what is wrong with it, and keeps what was typed', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/status of 422.*register/)
  const taken = await register(request)
  await page.goto('/sign-up')
  const create = page.getByRole('button', { name: 'Create an account' })
  await create.click()
  for (const text of ['Enter a name.', 'Enter your email.', 'Choose a password.']) {
    await expect(page.getByText(text)).toBeVisible()
  }
  await expect(page.getByText('You need to be 18 or over to use Hearth.')).toBeVisible()
  await page.getByLabel('Name').fill('Sam Okafor')
  await page.getByLabel('Email').fill(taken.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('checkbox', { name: 'I am 18 or over' }).check()
  await page.getByRole('checkbox', { name: /^I accept the/ }).check()
  await page.getByRole('checkbox', { name: /^I agree that Hearth uses/ }).check()
  await create.click()
  await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel('Email')).toBeFocused()
  await expect(page.getByLabel('Name')).toHaveValue('Sam Okafor')
})
