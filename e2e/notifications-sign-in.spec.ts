import type { APIRequestContext, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { type Account, callAs, password, register, signIn, signInAgain } from './people.ts'
import { playedPushService } from './played-push.ts'
import { registerTherapist, signInTherapist } from './therapists.ts'

test.use({ chromiumKind: 'whole', serviceWorkers: 'allow', permissions: ['notifications'] })

/** Turns notifications on at the settings of the account that is signed in. */
async function turnOn(page: Page): Promise<void> {
  await page.goto('/account/notices')
  const notifications = page.getByRole('switch', { name: 'Notifications in this browser' })
  await notifications.click()
  await expect(notifications).toBeChecked()
}

/** Of the browsers that an account has notifications in, by a sign-in elsewhere. */
async function endpointsOf(request: APIRequestContext, account: Account): Promise<string[]> {
  const elsewhere = await signInAgain(request, account)
  return (await callAs<{ push_endpoints: string[] }>(request, elsewhere, 'GET', '/notices')).push_endpoints
}

const rolesShown = `navigator.serviceWorker.ready
  .then((registration) => registration.getNotifications())
  .then((list) => list.map(({ data }) => data.role))`

for (const isReached of [true, false]) {
  test(`a browser that signs out ${isReached ? 'has the server end its notifications, also those of an earlier sign-in' : 'without reaching the server gives its notifications up itself'}`, async ({
    page,
    context,
    request,
    allowComplaint,
  }) => {
    allowComplaint(/Failed to load resource/)
    await page.addInitScript(playedPushService)
    const client = await register(request)
    await signIn(page, client)
    await turnOn(page)
    await signIn(page, await signInAgain(request, client))
    await page.reload()
    await expect(page.getByRole('switch', { name: 'Notifications in this browser' })).toBeChecked()
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
    await worker.evaluate(`PushManager.prototype.getSubscription = async () =>
      ({ unsubscribe: async () => { self.hasGivenUp = true } })`)
    await page.evaluate(`caches.open('push-address').then((kept) => kept.put('/', new Response('{}')))`)
    for (const role of ['client', 'therapist']) {
      await page.evaluate(`navigator.serviceWorker.ready.then((registration) =>
        registration.showNotification('Hearth', { data: { path: '/chats', role: '${role}' } }))`)
    }
    if (!isReached)
      await page.route(/client\/logout|push\/remove|push-subscription/, (route) => route.abort())
    await page.getByRole('button', { name: /account$/ }).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('link', { name: 'Log in' }).first()).toBeVisible()
    await expect.poll(() => worker.evaluate('self.hasGivenUp === true')).toBe(!isReached)
    const hasAddress = () => page.evaluate(`caches.has('push-address')`)
    await expect.poll(hasAddress, 'the next account is not told of').toBe(isReached)
    if (!isReached) return
    expect(await endpointsOf(request, client)).toEqual([])
    expect(await page.evaluate(rolesShown), 'those of the other role stay on the screen').toEqual([
      'therapist',
    ])
  })
}

const isSubscribed = `navigator.serviceWorker.ready
  .then((registration) => registration.pushManager.getSubscription())
  .then((subscription) => subscription !== null)`

/** Signs in afresh, at the form. */
async function enter(page: Page, { email }: Account): Promise<void> {
  await page.evaluate(`sessionStorage.clear(); sessionStorage.setItem('given', 'once')`)
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByRole('button', { name: /account$/ })).toBeVisible()
}

test('notifications go on with the next sign-in of their client, and end once another client signs in', async ({
  page,
  request,
}) => {
  await page.addInitScript(playedPushService)
  const client = await register(request)
  await signIn(page, client)
  await turnOn(page)
  const [endpoint = ''] = await endpointsOf(request, client)

  const moved = page.waitForResponse('**/notices/push')
  await enter(page, client)
  await moved
  // The sign-in that turned them on ends.
  await callAs(request, client, 'POST', '/client/logout')
  expect(await endpointsOf(request, client)).toEqual([endpoint])
  expect(await page.evaluate(isSubscribed)).toBe(true)

  await page.evaluate(`caches.open('push-address').then((kept) => kept.put('/', new Response('{}')))`)
  const next = await register(request)
  await enter(page, next)
  await expect.poll(() => page.evaluate(isSubscribed)).toBe(false)
  await expect.poll(() => page.evaluate(`caches.has('push-address')`)).toBe(false)
  expect(await endpointsOf(request, next)).toEqual([])
})

test('notifications of a practitioner go on while a client signs in beside them, and end once they have left', async ({
  page,
  context,
  request,
}) => {
  await page.addInitScript(playedPushService)
  const client = await register(request)
  const therapist = await context.newPage()
  await therapist.addInitScript(playedPushService)
  await signInTherapist(therapist, await registerTherapist(request))
  await therapist.goto('/therapist/account/notices')
  const notifications = therapist.getByRole('switch', { name: 'Notifications in this browser' })
  await notifications.click()
  await expect(notifications).toBeChecked()

  await page.goto('/')
  const looked = page.waitForResponse('**/notices')
  await enter(page, client)
  await looked
  await page.waitForTimeout(500)
  expect(await page.evaluate(isSubscribed)).toBe(true)

  await therapist.close()
  await enter(page, client)
  await expect.poll(() => page.evaluate(isSubscribed)).toBe(false)
})
