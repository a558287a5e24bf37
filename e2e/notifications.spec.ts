import { randomUUID } from 'node:crypto'
import { expect, test } from './fixtures.ts'
import { callAs, register, signIn, signInAgain } from './people.ts'
import { playedPushService, playedSubscription } from './played-push.ts'
import { registerTherapist, signInTherapist } from './therapists.ts'

test.use({ chromiumKind: 'whole', serviceWorkers: 'allow', permissions: ['notifications'] })

/** A browser that takes half a second to say whether notifications are on. */
const slowRegistration = `{
  const { getRegistration } = ServiceWorkerContainer.prototype
  ServiceWorkerContainer.prototype.getRegistration = async function (...given) {
    await new Promise((resolve) => setTimeout(resolve, 500))
    return getRegistration.apply(this, given)
  }
}`

type Shown = { title: string; body: string; path: string }
const shownNotifications = `navigator.serviceWorker.ready
  .then((registration) => registration.getNotifications())
  .then((list) => list.map(({ title, body, data }) => ({ title, body, path: data.path })))`

const clickOnMessage = `registration.getNotifications().then((list) => {
  const notification = list.find(({ body }) => body === 'You have a new message.')
  dispatchEvent(new NotificationEvent('notificationclick', { notification }))
})`

test('a client reads why a browser does not turn notifications on', async ({ page, request }) => {
  await page.addInitScript(`PushManager.prototype.subscribe = async () => {
    throw new DOMException('Registration failed', 'AbortError')
  }`)
  await signIn(page, await register(request))
  await page.goto('/account/notices')
  const notifications = page.getByRole('switch', { name: 'Notifications in this browser' })
  await notifications.click()
  await expect(page.getByRole('alert')).toContainText('In a private window they do not work')
  await expect(notifications).not.toBeChecked()
})

test('notifications are turned on by a press before the browser has said whether they are', async ({
  page,
  request,
}) => {
  await page.addInitScript(playedPushService)
  await page.addInitScript(slowRegistration)
  await signIn(page, await register(request))
  await page.goto('/account/notices')
  const notifications = page.getByRole('switch', { name: 'Notifications in this browser' })
  await notifications.click({ force: true })
  await expect(notifications).toBeChecked()
})

test('notifications by an earlier key of the server, which show nothing more, are off, and can be turned on again', async ({
  page,
  request,
}) => {
  const client = await register(request)
  const { push_key: key } = await callAs<{ push_key: string }>(request, client, 'GET', '/notices')
  const endpoint = playedSubscription.endpoint.replace('of-this-test', 'of-an-earlier-key')
  await callAs(request, client, 'POST', '/notices/push', { ...playedSubscription, endpoint })
  await page.addInitScript(
    `window.keyOfBefore = '${key.replace(/^(.{9})(.)/, (_, start, one) => start + (one === 'A' ? 'B' : 'A'))}'`,
  )
  await page.addInitScript(playedPushService.replaceAll('of-this-test', 'of-an-earlier-key'))
  await signIn(page, client)
  await page.goto('/account/notices')
  const notifications = page.getByRole('switch', { name: 'Notifications in this browser' })
  await expect(notifications).toBeEnabled()
  await expect(page.getByText('Straight away, when Hearth is not open.')).toBeVisible()
  await page.waitForFunction('navigator.serviceWorker.ready.then(() => true)')
  await expect(notifications).not.toBeChecked()
  await notifications.click()
  await expect(notifications).toBeChecked()
})

test('a browser shows that there is a message, and not what it says; a click opens it', async ({
  page,
  context,
  request,
}) => {
  await page.addInitScript(playedPushService)
  await signIn(page, await register(request))
  await page.goto('/account/notices')
  const notifications = page.getByRole('switch', { name: 'Notifications in this browser' })
  await expect(notifications).not.toBeChecked()
  await notifications.click()
  await expect(notifications).toBeChecked()

  const cdp = await context.newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [registration] = registrations
      if (registration) resolve(registration.registrationId)
    })
  })
  await cdp.send('ServiceWorker.enable')
  const registrationId = await registered
  const { origin } = new URL(page.url())
  const deliver = (data: string) =>
    cdp.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
  const shown = () => page.evaluate<Shown[]>(shownNotifications)
  // A message to a worker that is not active yet may be lost.
  const workerState = () => page.evaluate(`navigator.serviceWorker.ready.then(({ active }) => active.state)`)
  await expect.poll(workerState).toBe('activated')
  expect(await shown()).toEqual([])
  await expect(async () => {
    await deliver(JSON.stringify({ kind: 'message', path: '/account' }))
    const message = { title: 'Hearth', body: 'You have a new message.', path: '/account' }
    await expect.poll(async () => (await shown())[0], { timeout: 3000 }).toEqual(message)
  }).toPass()
  await deliver('not from us')
  await expect.poll(async () => (await shown()).map(({ body }) => body)).toContain('There is news for you.')

  await notifications.click()
  await expect(notifications).not.toBeChecked()

  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  await worker.evaluate(clickOnMessage)
  await expect(page).toHaveURL('/account')
  await expect(page.getByRole('heading', { level: 1, name: 'Account' })).toBeVisible()
})

const click = `registration.getNotifications().then(([notification]) => {
  dispatchEvent(new NotificationEvent('notificationclick', { notification }))
})`

/** A worker that shows one notification and notes what a click on it does: a test has no click that opens windows. */
const playedClick = `{
  self.acts = []
  clients.openWindow = async (address) => { acts.push('opens ' + new URL(address, location.origin).pathname) }
  WindowClient.prototype.focus = async function () { acts.push('focuses ' + new URL(this.url).pathname) }
  registration.showNotification('Hearth', { data: { path: '/account' } })
}`

for (const path of [
  '/session-room?appointment=1',
  '/pay?appointment=1',
  '/add-card',
  '/get-help/search-therapist?issueId=1',
]) {
  test(`a click on a notification leaves ${path} where it is`, async ({
    page,
    context,
    request,
    allowComplaint,
  }) => {
    allowComplaint(/status of 4\d\d/)
    await signIn(page, await register(request))
    await page.goto(path)
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
    await page.evaluate('navigator.serviceWorker.ready')
    await worker.evaluate(playedClick)
    const acts = () => worker.evaluate<string[]>('acts')

    await worker.evaluate(click)
    await expect.poll(acts).toEqual(['opens /account'])
    await expect(page).toHaveURL(path)

    const other = await context.newPage()
    await other.goto('/frequently-asked-questions')
    await page.bringToFront()
    await worker.evaluate(playedClick)
    await worker.evaluate(click)
    await expect.poll(acts).toEqual(['focuses /account'])
    await expect(other).toHaveURL('/account')
    await expect(page).toHaveURL(path)
  })
}

/** A notification of a message to a client, whose click is noted. */
const playedClickOfClient = `{
  self.acts = []
  clients.openWindow = async (address) => { acts.push(address) }
  registration.showNotification('Hearth', { data: { path: '/chats', role: 'client' } })
}`

test('a click on a notification of one role leaves the tabs of the other where they are', async ({
  page,
  context,
  request,
}) => {
  await signIn(page, await register(request))
  await page.goto('/my-sessions')
  const therapist = await context.newPage()
  await signInTherapist(therapist, await registerTherapist(request))
  await therapist.goto('/therapist/dashboard')
  await expect(therapist.getByRole('heading', { level: 1 })).toBeVisible()
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  await therapist.evaluate('navigator.serviceWorker.ready')
  await worker.evaluate(playedClickOfClient)
  await worker.evaluate(click)
  await expect.poll(() => worker.evaluate<string[]>('acts')).toEqual(['/sign-in?return_to=%2Fchats'])
  await expect(therapist).toHaveURL('/therapist/dashboard')
  await expect(page).toHaveURL('/my-sessions')

  // What is opened takes over the sign-in of the right tab.
  const opened = await context.newPage()
  await opened.goto('/sign-in?return_to=%2Fchats')
  await expect(opened).toHaveURL('/chats')
  await expect(opened.getByRole('button', { name: /account$/ })).toBeVisible()
  await opened.close()

  await therapist.close()
  const rolesHeld = `navigator.locks.query().then(({ held }) =>
    held.map(({ name }) => name).filter((name) => name.startsWith('hearth-role:')))`
  await expect.poll(() => page.evaluate(rolesHeld)).toEqual(['hearth-role:client'])
  await worker.evaluate(playedClickOfClient)
  await worker.evaluate(click)
  await expect(page).toHaveURL('/chats')
})

/** As the worker does with a push of this content. */
const pushed = (content: object) => `new Promise((resolve) => {
  const event = new PushEvent('push', { data: ${JSON.stringify(JSON.stringify(content))} })
  event.waitUntil = resolve
  dispatchEvent(event)
}).then((shown) => shown)`

test('a notification of a request says until when it can be accepted, and is closed once that is over', async ({
  page,
  context,
}) => {
  await page.goto('/')
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  await page.evaluate('navigator.serviceWorker.ready')
  const shown = () => page.evaluate<Shown[]>(shownNotifications)
  const offer = { kind: 'instant-offer', path: '/therapist/dashboard', role: 'therapist' }

  await worker.evaluate(pushed({ ...offer, seconds: 120 }))
  const [notification] = await shown()
  expect(notification?.body).toMatch(/^A client asks for help right now\. You can accept until \d\d:\d\d\.$/)
  await page.reload()
  expect(await shown()).toHaveLength(1)

  // A push service may have kept it.
  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
  await worker.evaluate(pushed({ ...offer, seconds: 120, ends_at: inSeconds(-1) }))
  const [late] = await shown()
  expect(late?.body).toBe('A client asked for help right now. The time to accept has most likely passed.')
  await worker.evaluate(pushed({ ...offer, seconds: 120, ends_at: inSeconds(3600) }))
  expect((await shown())[0]?.body).toMatch(/^A client asks for help right now\./)
  await worker.evaluate(pushed({ ...offer, seconds: 120, ends_at: inSeconds(1) }))
  await page.waitForTimeout(1100)
  await page.reload()
  await expect.poll(shown).toEqual([])

  await worker.evaluate(pushed({ ...offer, seconds: 1 }))
  expect(await shown()).toHaveLength(1)
  await page.waitForTimeout(1100)
  await worker.evaluate(pushed({ ...offer, seconds: 2 }))
  expect(await shown()).toHaveLength(1)
  await page.waitForTimeout(2100)
  await page.reload()
  await expect.poll(shown).toEqual([])
})

/** Plays the push service of a worker: the address that its browser has now, or none until it subscribes anew. */
const playedAddress = (present: string | null, next: string) => `{
  const made = (endpoint) => ({
    endpoint,
    options: { applicationServerKey: new Uint8Array(65).fill(4).buffer },
    toJSON: () => ({ endpoint, keys: ${JSON.stringify(playedSubscription.keys)} }),
  })
  let present = ${JSON.stringify(present)}
  PushManager.prototype.getSubscription = async () => present && made(present)
  PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
    if (!userVisibleOnly || !/^BAQE[\\w-]{83}$/.test(applicationServerKey)) throw new TypeError('no good')
    return made((present = ${JSON.stringify(next)}))
  }
}`

const addressChanged = `new Promise((resolve) => {
  const event = new ExtendableEvent('pushsubscriptionchange')
  event.waitUntil = resolve
  dispatchEvent(event)
}).then((followed) => followed)`

const knownAddress = `caches.match('/', { cacheName: 'push-address' })
  .then((kept) => kept?.json()).then((known) => known?.endpoint)`

test('a browser to which its push service gives another address goes on being notified', async ({
  page,
  context,
  request,
  allowComplaint,
}) => {
  allowComplaint(/status of 401/)
  const client = await register(request)
  const [first, second, third] = [1, 2, 3].map(() => `https://fcm.googleapis.com/fcm/send/${randomUUID()}`)
  const [former, next, last] = [String(first), String(second), String(third)]
  await callAs(request, client, 'POST', '/notices/push', { ...playedSubscription, endpoint: former })
  const endpoints = async () =>
    (await callAs<{ push_endpoints: string[] }>(request, client, 'GET', '/notices')).push_endpoints
  await signIn(page, client)
  await page.goto('/')
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  await page.evaluate('navigator.serviceWorker.ready')

  await worker.evaluate(playedAddress(former, next))
  await expect(async () => {
    await page.reload()
    expect(await worker.evaluate(knownAddress)).toBe(former)
  }).toPass()
  expect(await endpoints()).toEqual([former])

  await worker.evaluate(playedAddress(null, next))
  await worker.evaluate(addressChanged)
  expect(await endpoints()).toEqual([next])

  await test.step('a change that the browser did not tell of is noticed with the next page', async () => {
    await worker.evaluate(playedAddress(last, last))
    await page.reload()
    await expect.poll(endpoints).toEqual([last])
  })

  await test.step('a browser that is signed out stays silent', async () => {
    await callAs(request, client, 'POST', '/client/logout')
    const again = await signInAgain(request, client)
    await worker.evaluate(playedAddress(next, next))
    await worker.evaluate(addressChanged)
    const { push_endpoints } = await callAs<{ push_endpoints: string[] }>(request, again, 'GET', '/notices')
    expect(push_endpoints).toEqual([])
  })
})
