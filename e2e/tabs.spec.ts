import type { BrowserContext, Page } from '@playwright/test'
import { later, minutes } from '../src/server/clock.ts'
import { expect, test as journey } from './fixtures.ts'
import { test } from './own-server.ts'
import { chatter, messageLine, openDialog, send, write } from './chats.ts'
import { logIn } from './client-screens.ts'
import { linkMailed } from './mails.ts'
import { type Account, callAs, newEmail, password, register, signIn } from './people.ts'
import { demoTherapist } from './therapists.ts'

test.use({ seed: 'reference' })

const noSessions = "Sorry, but you don't have any sessions to show."
const refreshTokenOf = (page: Page) => page.evaluate(() => sessionStorage.getItem('refreshToken'))
const accessTokenOf = (page: Page) => page.evaluate(() => sessionStorage.getItem('accessToken'))

async function expectSignedIn(page: Page): Promise<void> {
  await page.goto('/my-sessions')
  await expect(page.getByText(noSessions)).toBeVisible()
}

async function signedInTab(page: Page, account: Account): Promise<void> {
  await signIn(page, account)
  await expectSignedIn(page)
}

/** As browsers duplicate a tab: with a copy of its storage. */
async function duplicate(context: BrowserContext, page: Page): Promise<Page> {
  const opened = context.waitForEvent('page')
  await page.evaluate('void window.open(location.href)')
  return opened
}

test('a duplicated tab has a sign-in of its own, and after 20 minutes both are alive', async ({
  page,
  context,
  request,
  server,
  allowComplaint,
}) => {
  test.setTimeout(240_000)
  // What expires is renewed after the server has said so, and the socket is opened anew.
  allowComplaint(/status of 401|socket|ERR_CONNECTION|Failed to fetch|status of 50/)
  await signedInTab(page, await register(request))
  const copied = await refreshTokenOf(page)
  const copy = await duplicate(context, page)
  await expect(copy.getByText(noSessions)).toBeVisible()
  await expect.poll(() => refreshTokenOf(copy)).not.toBe(copied)
  expect(await refreshTokenOf(page)).toBe(copied)

  for (let round = 0; round < 2; round++) {
    const before = [await accessTokenOf(page), await accessTokenOf(copy)]
    await server.rewrite(async (db) => {
      for (const row of await db.selectFrom('access_tokens').select(['hash', 'expires_at']).execute()) {
        const expires_at = later(row.expires_at, -minutes(20))
        await db.updateTable('access_tokens').set({ expires_at }).where('hash', '=', row.hash).execute()
      }
      for (const row of await db.selectFrom('refresh_tokens').select(['hash', 'spent_at']).execute()) {
        if (!row.spent_at) continue
        const spent_at = later(row.spent_at, -minutes(20))
        await db.updateTable('refresh_tokens').set({ spent_at }).where('hash', '=', row.hash).execute()
      }
    })
    await expectSignedIn(page)
    await expectSignedIn(copy)
    const after = [await accessTokenOf(page), await accessTokenOf(copy)]
    expect(new Set([...before, ...after]).size).toBe(4)
  }
})

test('a tab whose refresh got no answer stays signed in, and signs in another one, also minutes later', async ({
  page,
  context,
  request,
  server,
  allowComplaint,
}) => {
  test.setTimeout(240_000)
  allowComplaint(/status of 401/)
  const { email } = await register(request)
  // The sign-in page, so that the browser keeps the mark of the account.
  await page.goto('/sign-in?return_to=%2Fmy-sessions')
  await logIn(page, email)
  await expect(page.getByText(noSessions)).toBeVisible()
  const spent = await refreshTokenOf(page)

  // Before the token runs out, as the page may refresh it by itself. In the page: the tool's own calls send cookies also
  // where the page sends none.
  await page.evaluate(`
    const send = window.fetch
    window.fetch = async (...given) => {
      const answer = await send(...given)
      if (!answer.url.endsWith('/refresh-token')) return answer
      performance.mark('lost')
      throw new TypeError('Failed to fetch')
    }
  `)
  await server.passTo(server.now() + minutes(20))
  await page.getByRole('button', { name: /account$/ }).click()
  await page.getByRole('menuitem', { name: 'Account', exact: true }).click()
  await expect.poll(() => page.evaluate(`performance.getEntriesByName('lost').length`)).toBeGreaterThan(0)
  await server.passTo(server.now() + minutes(5))

  const second = await context.newPage()
  await expectSignedIn(second)
  expect(await refreshTokenOf(page)).toBe(spent)
  await expectSignedIn(page)
  expect(await refreshTokenOf(page)).not.toBe(spent)
})

journey(
  'the chat of a tab goes on after a new password was chosen in another tab',
  async ({ page, context, request, allowComplaint }) => {
    allowComplaint(/status of 401/)
    const account = await register(request)
    const grace = await demoTherapist(request)
    const therapist = await chatter(request, grace, 'therapist')
    const dialogId = await openDialog(request, await chatter(request, account, 'client'), grace.id)
    await signedInTab(page, account)
    await page.goto(`/chat?dialogId=${dialogId}`)
    await write(request, therapist, dialogId, 'Before.')
    await expect(messageLine(page, 'Before.')).toBeVisible()
    await page.getByPlaceholder('Enter your message').fill('I was about to say')
    const other = await context.newPage()
    await expectSignedIn(other)
    const next = 'four quiet lanterns'
    const body = { current_password: password, password: next, password_confirmation: next }
    const before = await refreshTokenOf(page)
    const token = (await accessTokenOf(other)) ?? ''
    await callAs(request, { token }, 'POST', '/client/change-password', body)
    await expect.poll(() => refreshTokenOf(page)).not.toBe(before)
    await write(request, therapist, dialogId, 'After.')
    await expect(messageLine(page, 'After.')).toBeVisible()
    await expect(page.getByPlaceholder('Enter your message')).toHaveValue('I was about to say')
    await send(page, 'It goes on.')
    await expect(messageLine(page, 'It goes on.')).toContainText(/Sent|Read/)
  },
)

journey(
  'an email that is confirmed in another tab is known to this one, which is signed out with that',
  async ({ page, context, request, allowComplaint }) => {
    allowComplaint(/status of 401/)
    const account = await register(request)
    const wanted = newEmail()
    await callAs(request, account, 'POST', '/client/change-email', {
      email: wanted,
      current_password: password,
    })
    await signedInTab(page, account)
    const other = await context.newPage()
    const link = await linkMailed(wanted, '/confirm-email')
    await other.goto(link.pathname + link.hash)
    await expect(other.getByRole('main').getByText('Your email is changed')).toBeVisible()
    await page.getByRole('button', { name: /account$/ }).click()
    await expect(page.getByRole('menu').getByText(wanted)).toBeVisible()
    await page.keyboard.press('Escape')
    await other.getByRole('button', { name: /account$/ }).click()
    await other.getByRole('menuitem', { name: 'Logout' }).click()
    await expect(page.getByRole('link', { name: 'Log in' }).first()).toBeVisible()
  },
)

journey(
  'a tab opened by an address is signed in, and signing out in one signs out the other',
  async ({ page, context, request, allowComplaint }) => {
    allowComplaint(/status of 401/)
    await signedInTab(page, await register(request))
    const second = await context.newPage()
    await expectSignedIn(second)
    expect(await refreshTokenOf(second)).not.toBe(await refreshTokenOf(page))

    await page.goto('/account/devices')
    await expect(page.locator('main li:not(nav li)')).toHaveCount(1)
    await expect(page.getByText('All its tabs are signed out together.')).toBeVisible()

    // The links of mails go by the sign-in page.
    const mailed = await context.newPage()
    await mailed.goto('/sign-in?return_to=%2Faccount%2Fdevices')
    await expect(mailed).toHaveURL('/account/devices')
    await mailed.goto('/sign-in?return_to=%2Fmy-sessions')
    await expect(mailed).toHaveURL('/my-sessions')
    await mailed.goto('/therapist/sign-in?return_to=%2Ftherapist%2Fdashboard')
    await expect(mailed.getByRole('heading', { level: 1, name: 'Login as therapist' })).toBeVisible()
    await mailed.close()

    await second.getByRole('button', { name: /account$/ }).click()
    await second.getByRole('menuitem', { name: 'Logout' }).click()
    await expect(second).toHaveURL('/')
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('link', { name: 'Log in' }).first()).toBeVisible()
    expect(await refreshTokenOf(page)).toBeNull()
    const third = await context.newPage()
    await third.goto('/my-sessions')
    await expect(third.getByRole('heading', { level: 1, name: 'Login as patient' })).toBeVisible()
  },
)

journey(
  'a device on which one stays signed in opens signed in, until one signs out there',
  async ({ page, context, request, allowComplaint }) => {
    allowComplaint(/status of 401/)
    const account = await register(request)
    const logIn = async (tab: Page) => {
      await tab.goto('/sign-in?return_to=%2Faccount%2Fdevices')
      await tab.getByLabel('Email').fill(account.email)
      await tab.getByLabel('Password', { exact: true }).fill(password)
      await expect(tab.getByRole('checkbox', { name: 'Stay signed in on this device' })).not.toBeChecked()
    }
    await logIn(page)
    await page.getByRole('checkbox', { name: 'Stay signed in on this device' }).check()
    await page.getByRole('button', { name: 'Log in' }).click()
    await expect(page.getByRole('listitem').filter({ hasText: 'This device' })).toContainText(
      'Stays signed in',
    )
    expect((await context.cookies()).find(({ name }) => name === 'hearth_device')).toMatchObject({
      httpOnly: true,
      secure: true,
      sameSite: 'Strict',
      path: '/api/v7/client',
    })

    await page.close()
    const next = await context.newPage()
    await next.goto('/sign-in?return_to=%2Fmy-sessions')
    await expect(next.getByText(noSessions)).toBeVisible()
    // Safari deletes the storage of scripts after a week.
    await next.evaluate('localStorage.clear()')
    await next.close()
    const another = await context.newPage()
    await expectSignedIn(another)
    await another.getByRole('button', { name: /account$/ }).click()
    await another.getByRole('menuitem', { name: 'Logout' }).click()
    await expect(another).toHaveURL('/')
    await another.close()
    const after = await context.newPage()
    await after.goto('/my-sessions')
    await expect(after.getByRole('heading', { level: 1, name: 'Login as patient' })).toBeVisible()

    // Without the box, the next tab is signed out again.
    await logIn(after)
    await after.getByRole('button', { name: 'Log in' }).click()
    await expect(after.getByRole('listitem').filter({ hasText: 'This device' })).toBeVisible()
    await after.close()
    const last = await context.newPage()
    await last.goto('/my-sessions')
    await expect(last.getByRole('heading', { level: 1, name: 'Login as patient' })).toBeVisible()
  },
)

journey(
  'a tab whose neighbour does not answer opens signed out, without waiting long',
  async ({ page, context }) => {
    await page.goto('/privacy-policy')
    await page.evaluate(
      () =>
        new Promise<void>((held) => {
          void navigator.locks.request('hearth-tab:frozen', () => {
            held()
            return new Promise(() => {})
          })
        }),
    )
    const second = await context.newPage()
    await second.addInitScript(() => {
      const post = BroadcastChannel.prototype.postMessage
      BroadcastChannel.prototype.postMessage = function (message: unknown) {
        performance.mark('asked')
        post.call(this, message)
      }
      const close = BroadcastChannel.prototype.close
      BroadcastChannel.prototype.close = function () {
        if (this.name.startsWith('hearth-hand-over:')) performance.mark('gave up')
        close.call(this)
      }
    })
    await second.goto('/my-sessions')
    await expect(second.getByRole('heading', { level: 1, name: 'Login as patient' })).toBeVisible()
    const waited = await second.evaluate(() => performance.measure('waited', 'asked', 'gave up').duration)
    expect(waited).toBeGreaterThan(100)
    expect(waited).toBeLessThan(1000)
  },
)
