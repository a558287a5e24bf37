import { signInAsAdmin } from './admin.ts'
import { makeAlive } from './alive.ts'
import { ownPractitioner, profilePath } from './booking.ts'
import { bookPayAndWrite, logIn, logOut } from './client-screens.ts'
import { expect, test } from './fixtures.ts'
import { callAs, register, saveCard } from './people.ts'

/** Everything that keeps something, and the clipboard, refuse: as where a reader's settings forbid storage. */
const forbidden = `{
  const refuse = (what) => { throw Object.assign(new Error(what + ' is forbidden here'), { name: 'SecurityError' }) }
  const reject = (prototype, ...names) => {
    for (const name of names) prototype[name] = async () => refuse(name)
  }
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
    Object.defineProperty(window, name, { get: () => refuse(name) })
  reject(LockManager.prototype, 'request', 'query')
  reject(ServiceWorkerContainer.prototype, 'register', 'getRegistration')
  reject(Clipboard.prototype, 'writeText')
  Object.defineProperty(Notification, 'permission', { get: () => 'default' })
  window.BroadcastChannel = class { constructor() { refuse('a channel') } }
}`

/** What a page that is not secure, or an old browser, does not have. */
const missing = `{
  for (const name of ['locks', 'serviceWorker', 'clipboard', 'share']) delete Navigator.prototype[name]
  for (const name of ['BroadcastChannel', 'Notification', 'PushManager', 'ServiceWorkerContainer', 'caches', 'indexedDB'])
    delete window[name]
  delete Crypto.prototype.randomUUID
}`

/** The library's own script for the place on the page complains, and does nothing else. */
const scrollPositions = /sessionStorage is forbidden here/

for (const [name, script] of Object.entries({ forbidden, missing })) {
  test(`a client books, pays, writes and signs out where what browsers keep is ${name}`, async ({
    page,
    request,
    allowComplaint,
  }, info) => {
    allowComplaint(scrollPositions)
    await page.addInitScript(script)
    const offer = await ownPractitioner(request, info)
    const account = await register(request)
    await saveCard(request, account)
    for (const path of ['/', '/found-therapists?session_type=online', profilePath(offer), '/shortlist']) {
      await page.goto(path)
      await makeAlive(page)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    }

    await bookPayAndWrite(page, request, { offer, account })

    await page.getByRole('button', { name: /account$/ }).click()
    await page.getByRole('menuitem', { name: 'Account', exact: true }).click()
    await page.getByRole('link', { name: /^Emails and notifications/ }).click()
    await expect(page.getByText(/This browser does not support them/)).toBeVisible()

    await logOut(page)
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeVisible()
  })
}

test('a session that has ended leads to signing in where locks are refused, and a practitioner and an admin can work', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(scrollPositions)
  allowComplaint(/status of 401/)
  await page.addInitScript(forbidden)
  // The socket would say it before the next page does.
  await page.routeWebSocket(/\/socket\//, () => {})
  let asked = 0
  page.on('request', () => (asked += 1))
  const account = await register(request)
  await page.goto('/sign-in')
  await logIn(page, account.email)
  await page.getByRole('button', { name: /account$/ }).click()
  await page.getByRole('menuitem', { name: 'Shortlist' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Shortlist' })).toBeVisible()
  // Not one of this page's own calls, but the way to the next page is to find out.
  await expect(async () => {
    const before = asked
    await page.waitForTimeout(500)
    expect(asked).toBe(before)
  }).toPass()
  await callAs(request, account, 'POST', '/client/logout-everywhere')
  await page.getByRole('button', { name: /account$/ }).click()
  await page.getByRole('menuitem', { name: 'My Sessions' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Login as patient' })).toBeVisible()
  await expect(page.getByRole('button', { name: /account$/ })).toHaveCount(0)

  await page.goto('/therapist/sign-in')
  await page.getByLabel('Email').fill('therapist@demo.test')
  await page.getByLabel('Password', { exact: true }).fill('demo-password')
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page).toHaveURL('/therapist/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await logOut(page)
  await expect(page).toHaveURL('/')

  await page.goto('/admin/sign-in')
  await signInAsAdmin(page)
  await expect(page).toHaveURL('/admin')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await logOut(page)
  await expect(page).toHaveURL('/')
})
