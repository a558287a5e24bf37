import { expectAlive, makeAlive } from './alive.ts'
import { expect, test } from './fixtures.ts'
import { bookByApi, ownPractitioner } from './booking.ts'
import { chatter, openDialog } from './chats.ts'
import { callAs, register, signIn } from './people.ts'
import { scriptsOf, sum } from './scripts-loaded.ts'
import { demoTherapist, signInTherapist } from './therapists.ts'

test.use({ chromiumKind: 'whole' })

const framework = /\/assets\/framework-/
const plainPages = ['/', '/frequently-asked-questions', '/privacy-policy', '/terms-and-conditions']

for (const path of plainPages) {
  test(`${path} loads no framework before it is used, and is alive after the first touch`, async ({
    page,
  }) => {
    const scripts = await scriptsOf(page, path)
    expect([...scripts.keys()].filter((name) => framework.test(name))).toEqual([])
    expect(sum(scripts)).toBeGreaterThan(0)
    expect(sum(scripts)).toBeLessThan(120_000)

    const loaded = page.waitForResponse((response) => framework.test(response.url()))
    await makeAlive(page)
    await loaded
    await page.evaluate('window.isSameDocument = true')
    await page.getByRole('contentinfo').getByRole('link', { name: 'Terms and Conditions' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Terms and Conditions')
    expect(await page.evaluate(`'isSameDocument' in window`)).toBe(true)
  })
}

for (const path of ['/found-therapists?session_type=online', '/recommended-therapist?practitionerId=1']) {
  test(`${path} stands whole before it loads the framework, less than 177.5 kB in all, and is alive without a touch`, async ({
    page,
  }) => {
    const scripts = await scriptsOf(page, path, () => expectAlive(page))
    // Each is a request, of which a slow network has few at a time.
    expect(scripts.size).toBeLessThanOrEqual(28)
    const weight = sum(scripts)
    expect(weight).toBeGreaterThan(50_000)
    expect(weight).toBeLessThan(177_500)
    const [loadedAt, askedAt] = await page.evaluate<[number, number]>(`[
      performance.getEntriesByType('navigation')[0].loadEventStart,
      performance.getEntriesByType('resource').find(({ name }) => ${framework}.test(name)).startTime,
    ]`)
    expect(loadedAt).toBeGreaterThan(0)
    expect(askedAt).toBeGreaterThanOrEqual(loadedAt)
  })
}

test('a page of twenty results is at most 75 kB of markup, with the cards written once', async ({
  request,
}) => {
  const html = await (await request.get('/found-therapists')).text()
  const [, name = 'nobody'] = /<h3 id="p\d+">([^<]+)/.exec(html) ?? []
  expect(html.split(`>${name}</h3>`)).toHaveLength(2)
  expect(html.slice(html.indexOf('streamController.enqueue'))).not.toContain(name)
  expect(html.match(/<article/g)).toHaveLength(20)
  expect(html.match(/href="\/book-therapist/g)?.length).toBeGreaterThan(60)
  expect(Buffer.byteLength(html)).toBeLessThanOrEqual(75_000)
})

test('the first click on a page that is not alive yet leads where it says', async ({ page }) => {
  const clicked = Promise.withResolvers<void>()
  await page.route(framework, async (route) => {
    await clicked.promise
    await route.continue().catch(() => undefined)
  })
  await page.goto('/')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' }).click()
  clicked.resolve()
  await expect(page).toHaveURL('/privacy-policy')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Privacy Policy')
})

test('a plain page names the signed-in client without a touch', async ({ page, request }) => {
  await signIn(page, await register(request, 'Robin Vale'))
  await page.goto('/frequently-asked-questions')
  await expect(page.getByRole('button', { name: /^Robin.*account$/ })).toBeVisible()
})

test('a plain page that could not become alive stays as it is and tries again', async ({
  page,
  allowComplaint,
}) => {
  allowComplaint(/ERR_FAILED|preload/)
  let isGone = true
  await page.route(framework, (route) => (isGone ? route.abort() : route.continue()))
  await page.goto('/')
  const refused = page.waitForEvent('requestfailed', (request) => framework.test(request.url()))
  await page.mouse.move(200, 300)
  await refused
  isGone = false
  await expect(async () => {
    await page.mouse.move(20, 20)
    await page.mouse.move(300, 400)
    expect(await page.evaluate(`'__reactRouterDataRouter' in window`)).toBe(true)
  }).toPass()
})

test('the page of a session with its chat loads at most 225.5 kB of scripts for a client, and 227 kB for a practitioner', async ({
  page,
  openContext,
  baseURL,
  request,
}, info) => {
  const offer = await ownPractitioner(request, info)
  const client = await register(request)
  const { session_id: id } = await bookByApi(request, client, offer, offer.times[0] ?? '')
  const dialogId = await openDialog(request, await chatter(request, client, 'client'), offer.id)
  await signIn(page, client)
  const own = await scriptsOf(page, `/session?appointment=${id}`, async () => {
    await expect(page.getByRole('button', { name: 'Move to another time' })).toBeVisible()
    await expect(page.getByPlaceholder('Enter your message')).toBeVisible()
  })
  expectLight(own)

  // The chat needs most, and the menu and every dialog nothing before they are opened.
  const chat = await (await openContext({ baseURL })).newPage()
  await signIn(chat, client)
  const isChatThere = () => expect(chat.getByPlaceholder('Enter your message')).toBeVisible()
  expectLight(await scriptsOf(chat, `/chat?dialogId=${dialogId}`, isChatThere))

  const therapist = await demoTherapist(request)
  const { data } = await callAs<{ data: { appointment_id: string }[] }>(
    request,
    therapist,
    'GET',
    '/therapist/sessions?when=upcoming',
  )
  const theirPage = await (await openContext({ baseURL })).newPage()
  await signInTherapist(theirPage, therapist)
  const areTheirsThere = () =>
    expect(theirPage.getByRole('heading', { name: /^(What you can do|What became of it)$/ })).toBeVisible()
  // One who is available now hears of requests.
  const theirs = await scriptsOf(theirPage, `/session?appointment=${data[0]?.appointment_id}`, areTheirsThere)
  expectLight(theirs, 227_000)
})

function expectLight(scripts: Map<string, number>, most = 225_500): void {
  const names = [...scripts.keys()].join(' ')
  expect(names).toMatch(/\/(session|chat)-/)
  expect(names).not.toMatch(/OpenDialog|MenuList|BritishEnglish|card-form|SlotPicker|\/forms-/)
  expect(sum(scripts)).toBeGreaterThan(100_000)
  expect(sum(scripts)).toBeLessThanOrEqual(most)
}
