import type { APIRequestContext, Page } from '@playwright/test'
import { makeAlive } from './alive.ts'
import { chatter, openDialog } from './chats.ts'
import {
  bookByApi,
  bookPath,
  expectHeld,
  fillCard,
  holdByApi,
  ownPractitioner,
  twoDays,
  upcoming,
} from './booking.ts'
import { expect, test } from './fixtures.ts'
import { password, register, signIn } from './people.ts'

const phone = { width: 375, height: 720 }
const listPath = '/found-therapists?session_type=online'

/** Name and address of the links of a landmark. */
async function linksIn(page: Page, landmark: string): Promise<Record<string, string | null>> {
  const links = page.getByRole('navigation', { name: landmark }).getByRole('link')
  const found = await Promise.all(
    (await links.all()).map(async (link) => [await link.innerText(), await link.getAttribute('href')]),
  )
  return Object.fromEntries(found)
}

test('the header leads a visitor to the list, to logging in and to a new account', async ({ page }) => {
  await page.goto('/frequently-asked-questions')
  expect(await linksIn(page, 'Main')).toEqual({
    'Find a Therapist or Psychiatrist': listPath,
    'Get help right now': '/get-help',
    'Your shortlist': '/shortlist',
    'Log in': '/sign-in',
    'Create an account': '/sign-up',
  })
  await page
    .getByRole('banner')
    .getByRole('link', { name: /^Hearth/ })
    .click()
  await expect(page).toHaveURL('/')
  for (const path of ['/sign-in', '/sign-up', '/therapist/sign-in']) {
    await page.goto(path)
    await expect(page.getByRole('banner').getByRole('link')).toHaveCount(1)
    await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(0)
  }
})

test('the account menu of a client names the account and leads to their sessions', async ({
  page,
  request,
}) => {
  const account = await register(request, 'Robin Vale')
  await signIn(page, account)
  await page.goto('/')
  await page.getByRole('button', { name: /^Robin.*account$/ }).click()
  const menu = page.getByRole('menu', { name: 'Account' })
  await expect(menu).toContainText('Robin Vale')
  await expect(menu).toContainText(account.email)
  await expect(menu.getByRole('menuitem', { name: 'Logout' })).toBeVisible()
  await expect(menu.getByRole('menuitem', { name: 'Are you a Therapist?' })).toHaveAttribute(
    'href',
    '/therapist/sign-up',
  )
  await menu.getByRole('menuitem', { name: 'My Sessions' }).click()
  await expect(page).toHaveURL('/my-sessions')
})

test('a therapist logs in at their own door, and is no client', async ({ page, allowComplaint }) => {
  allowComplaint(/status of (401|422).*therapist\/login/)
  await page.goto('/')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Therapist log in' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Login as therapist' })).toBeVisible()
  await page.getByLabel('Email').fill('therapist@demo.test')
  await page.getByLabel('Password', { exact: true }).fill('not my password')
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByText('The email or the password is not right.')).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill('demo-password')
  await page.getByRole('button', { name: 'Log in' }).click()
  const account = page.getByRole('button', { name: /account$/ })
  await expect(account).toBeVisible()
  await page.goto('/my-sessions')
  await expect(page).toHaveURL(/^[^?]*\/sign-in/)
  await page.goto('/')
  await account.click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page.getByRole('link', { name: 'Log in', exact: true })).toBeVisible()
})

test('the burger menu holds the same and My Sessions, and closes by Escape and by going on', async ({
  page,
  request,
}) => {
  await page.setViewportSize(phone)
  await page.goto('/')
  const button = page.getByRole('banner').locator('summary')
  const menu = page.getByRole('navigation', { name: 'Main' })
  await expect(menu).toBeHidden()
  await button.click()
  expect(await linksIn(page, 'Main')).toEqual({
    'Find a Therapist or Psychiatrist': listPath,
    'Get help right now': '/get-help',
    Shortlist: '/shortlist',
    'My Sessions': '/my-sessions',
    'Log in': '/sign-in',
    'Create an account': '/sign-up',
  })
  await makeAlive(page)
  // The page is alive a moment before the menu listens to keys.
  await expect(async () => {
    await page.keyboard.press('Escape')
    await expect(menu).toBeHidden({ timeout: 500 })
  }).toPass()
  await expect(button).toBeFocused()
  // It covers nothing that is reached behind it.
  await button.click()
  await menu.getByRole('link').last().focus()
  await page.keyboard.press('Tab')
  await expect(menu).toBeHidden()
  await expect(page.locator('main :focus')).toBeAttached()

  const account = await register(request, 'Robin Vale')
  await signIn(page, account)
  await page.reload()
  await button.click()
  await expect(menu).toContainText('Robin Vale')
  await expect(menu).toContainText(account.email)
  await expect(menu.getByRole('link', { name: 'Log in' })).toHaveCount(0)
  await menu.getByRole('link', { name: 'My Sessions' }).click()
  await expect(page).toHaveURL('/my-sessions')
  await expect(menu).toBeHidden()
  await button.click()
  await menu.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
  await button.click()
  await expect(menu.getByRole('link', { name: 'Log in' })).toBeVisible()
})

test('the burger menu opens without JavaScript', async ({ openContext }) => {
  const page = await (await openContext({ javaScriptEnabled: false, viewport: phone })).newPage()
  await page.goto('/')
  await page.getByRole('banner').locator('summary').click()
  await page.getByRole('link', { name: 'Log in', exact: true }).click()
  await expect(page).toHaveURL('/sign-in')
  await expect(page.locator('noscript p').first()).toBeVisible()
})

test('the footer leads to the questions, the law and the therapists, and names whom to call', async ({
  page,
}) => {
  await page.goto('/')
  // The shops are named once the apps are there, by configuration.
  expect(await linksIn(page, 'Footer')).toEqual({
    'Frequently asked questions': '/frequently-asked-questions',
    'Privacy Policy': '/privacy-policy',
    'Terms and Conditions': '/terms-and-conditions',
    'About the data': '/about-the-data',
    Accessibility: '/accessibility',
    'Join as a therapist': '/therapist/sign-up',
    'Therapist log in': '/therapist/sign-in',
  })
  const footer = page.getByRole('contentinfo')
  for (const number of ['999', '111', '116123']) {
    await expect(footer.locator(`a[href="tel:${number}"]`)).toBeVisible()
  }
})

test('a client finds the emergency numbers once on every page that fills the window', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(/status of (404|50\d)/)
  const offer = await ownPractitioner(request, info)
  const client = await register(request)
  const { session_id: id } = await bookByApi(request, client, offer, offer.times[0] ?? '')
  const dialogId = await openDialog(request, await chatter(request, client, 'client'), offer.id)
  await signIn(page, client)
  const unknown = '0197a000-0000-7000-8000-000000000001'
  const main = page.getByRole('main')
  const numbers = page.locator('a[href="tel:116123"]:visible')
  const messages = '**/chat/messages?*'
  await page.route(messages, (route) => route.fulfill({ status: 503, json: {} }))
  for (const [path, words] of [
    ['/chats', 'Choose a chat to read it here.'],
    [`/chat?dialogId=${unknown}`, 'This chat did not load'],
    [`/chat?dialogId=${dialogId}`, 'The messages did not load'],
    [`/session?appointment=${unknown}`, 'We cannot find this session'],
    [`/session-room?appointment=${unknown}`, 'We cannot find this room'],
    [`/session-room?appointment=${id}`, /^Your (room opens|session with)/],
  ] as const) {
    await page.setViewportSize({ width: 1280, height: 720 })
    await page.goto(path)
    await expect(main.getByText(words).first()).toBeVisible()
    await expect(numbers, path).toHaveCount(1)
    await expect(numbers, path).toBeInViewport()
    await page.setViewportSize(phone)
    await expect(numbers, path).toHaveCount(1)
  }
  // Where the window is low, the way out of an error is scrolled to, and does not lie over the numbers.
  await page.goto(`/chat?dialogId=${dialogId}`)
  await page.setViewportSize({ width: 700, height: 360 })
  const again = main.getByRole('button', { name: 'Try again' })
  await again.click({ trial: true })
  await numbers.click({ trial: true })
  await page.setViewportSize(phone)
  await page.unroute(messages)
  await page.goto(`/chat?dialogId=${dialogId}`)
  await expect(page.getByPlaceholder('Enter your message')).toBeVisible()
  await expect(numbers).toHaveCount(1)
})

/** How many addresses of one page, with other queries, are opened. */
const perPage = 8

/** Addresses on this site that a page's markup links to. */
function linksOf(html: string, origin: string, from: string): URL[] {
  return [...html.matchAll(/<a\b[^>]*?\shref="([^"]*)"/g)]
    .map(([, href = '']) => new URL(href.replaceAll('&amp;', '&'), `${origin}${from}`))
    .filter((url) => url.origin === origin)
}

/** Opens each address, and those that they link to. Returns the dead ones with the page that links them, and the number opened. */
async function deadLinks(request: APIRequestContext, origin: string, starts: [path: string, on: string][]) {
  const queue = [...starts]
  const seen = new Set<string>()
  const opened = new Map<string, number>()
  const dead: string[] = []
  for (let next = queue.shift(); next; next = queue.shift()) {
    const [path, on] = next
    const { pathname } = new URL(path, origin)
    const count = opened.get(pathname) ?? 0
    if (seen.has(path) || count >= perPage) continue
    seen.add(path)
    opened.set(pathname, count + 1)
    const response = await request.get(path)
    if (response.status() >= 400) dead.push(`${path} on ${on}: ${response.status()}`)
    if (!response.headers()['content-type']?.includes('html')) continue
    for (const url of linksOf(await response.text(), origin, path))
      queue.push([url.pathname + url.search, path])
  }
  return { dead, opened: seen.size, pages: [...opened.keys()] }
}

test('no link on any public page is dead', async ({ request, baseURL }) => {
  const { dead, opened, pages } = await deadLinks(request, baseURL ?? '', [
    ['/', 'the start'],
    ['/therapist/forgot-password', 'the start'],
    ['/therapist/reset-password', 'the start'],
    ['/verify-email', 'the start'],
  ])
  expect(dead).toEqual([])
  expect(opened).toBeGreaterThan(25)
  expect(pages).toEqual(
    expect.arrayContaining(['/found-therapists', '/recommended-therapist', '/sign-in', '/my-sessions']),
  )
})

test('no link on a signed-in page is dead', async ({ page, request, baseURL }, info) => {
  const offer = await ownPractitioner(request, info)
  const [first, second] = twoDays(offer)
  const account = await register(request)
  await bookByApi(request, account, offer, first)
  const held = await holdByApi(request, account, offer, second)
  await signIn(page, account)
  const links: [string, string][] = []
  for (const path of [
    '/my-sessions',
    '/session-is-booked',
    bookPath(offer, second),
    `/add-card?session=${held.session_id}`,
    '/',
  ]) {
    await page.goto(path)
    await expect(page.getByRole('button', { name: /account$/ })).toBeVisible()
    await expect(page.getByRole('main').getByRole('link').first()).toBeVisible()
    await page.getByRole('button', { name: /account$/ }).click()
    await expect(page.getByRole('menu')).toBeVisible()
    links.push(
      ...linksOf(await page.content(), baseURL ?? '', path).map((url): [string, string] => [
        url.pathname + url.search,
        path,
      ]),
    )
  }
  expect((await deadLinks(request, baseURL ?? '', links)).dead).toEqual([])
})

test('a page that is not here says so, with the status, and leads on', async ({ page, allowComplaint }) => {
  allowComplaint(/status of 404/)
  const answer = await page.goto('/no/such/page')
  expect(answer?.status()).toBe(404)
  await expect(page).toHaveTitle(/^Page not found/)
  await expect(page.getByRole('heading', { level: 1, name: 'We cannot find this page' })).toBeVisible()
  await page.getByRole('link', { name: 'Find a Practitioner' }).click()
  await expect(page).toHaveURL(listPath)
  await expect(page.getByRole('article').first()).toBeVisible()

  const profile = await page.goto('/recommended-therapist?practitionerId=987654')
  expect(profile?.status()).toBe(404)
  await page.getByRole('link', { name: 'See all practitioners' }).click()
  await expect(page.getByRole('article').first()).toBeVisible()
})

test('a page that fails to load says so and loads on a second try', async ({ page, allowComplaint }) => {
  allowComplaint(/status of 500|found-therapists/)
  await page.goto('/frequently-asked-questions')
  await makeAlive(page)
  await page.route(/found-therapists\.data/, (route) =>
    route.fulfill({ status: 500, body: 'Unexpected Server Error' }),
  )
  await page.getByRole('link', { name: 'Find a Practitioner' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'This page did not load' })).toBeVisible()
  await expect(page.getByRole('contentinfo')).toBeVisible()
  await page.unroute(/found-therapists\.data/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(
    page.getByRole('heading', { level: 1, name: 'List of Therapist or Psychiatrist' }),
  ).toBeVisible()
  await expect(page.getByRole('article').first()).toBeVisible()
})

test('a page that was changed before it came alive, as extensions do, comes alive all the same', async ({
  page,
  allowComplaint,
}) => {
  allowComplaint(/React error #418/)
  await page.addInitScript(`
    localStorage.setItem('theme', 'dark')
    addEventListener('DOMContentLoaded', () => document.querySelector('main h1')?.remove(), { once: true })
  `)
  await page.goto('/sign-in')
  await expect(page.getByRole('heading', { level: 1, name: 'Login as patient' })).toBeVisible()
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByText('Enter your email.')).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})

test('the first stop of the keyboard skips to the content', async ({ page }) => {
  await page.goto('/')
  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: 'Skip to the content' })
  await expect(skip).toBeFocused()
  await expect(skip).toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('main').locator(':focus')).toHaveCount(1)
})

test('a booking survives a reload, and the back button leads through its steps', async ({
  page,
  request,
}, info) => {
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  await signIn(page, account)
  await page.goto(`/recommended-therapist?practitionerId=${offer.id}`)
  await expect(page.getByRole('heading', { level: 1, name: offer.name })).toBeVisible()
  await page.goto(bookPath(offer, offer.times[0] ?? ''))
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await expect(page).toHaveURL(/\/add-card\?/)
  await expectHeld(page)
  const address = page.url()

  await page.reload()
  await expect(page).toHaveURL(address)
  await expectHeld(page)
  await page.goBack()
  await expect(page.getByRole('heading', { level: 2, name: 'Pay for your session' })).toBeVisible()
  await expectHeld(page)
  await page.reload()
  await expectHeld(page)
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: offer.name })).toBeVisible()
  await page.goForward()
  await expectHeld(page)
  await page.getByRole('link', { name: /^Add a card and pay/ }).click()
  await fillCard(page)
  await page.getByRole('button', { name: /^Save card and pay/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Session is booked' })).toBeVisible()
  // Going back does not lead into paying once more.
  await page.goBack()
  await expect(page).toHaveURL(/\/book-therapist\?/)
  await expect(page.getByRole('heading', { level: 1, name: 'Your booking' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'You have booked this session' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^(Save card and pay|Pay £|Continue)/ })).toHaveCount(0)
  expect(await upcoming(request, account)).toHaveLength(1)
})

test('a connection lost while paying keeps what was typed, and trying again pays once', async ({
  page,
  context,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(/ERR_INTERNET_DISCONNECTED/)
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  await signIn(page, account)
  await page.goto(bookPath(offer, offer.times[0] ?? ''))
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await fillCard(page)
  await context.setOffline(true)
  const pay = page.getByRole('button', { name: /^Save card and pay/ })
  await pay.click()
  await expect(page.getByRole('alert')).toContainText('check your connection')
  await expect(page.getByLabel('Card number')).toHaveValue('4242 4242 4242 4242')
  await expect(page.getByLabel('Security code')).toHaveValue('123')
  await expectHeld(page)

  await context.setOffline(false)
  await pay.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Session is booked' })).toBeVisible()
})

test('a connection lost while signing up or searching keeps what was typed, and offers to try again', async ({
  page,
  context,
  request,
  allowComplaint,
}) => {
  allowComplaint(/ERR_INTERNET_DISCONNECTED|Failed to fetch/)
  const account = await register(request)
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByRole('alert')).toContainText('check your connection')
  await expect(page.getByLabel('Email')).toHaveValue(account.email)
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(password)
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page).toHaveURL('/')

  await page.goto('/found-therapists')
  // The page is alive once its lists can be searched.
  await expect(page.getByPlaceholder('Search this list').first()).toBeAttached()
  await context.setOffline(true)
  await page.getByRole('radio', { name: 'Face-to-face', exact: true }).click()
  const pageStatus = page.getByRole('region', { name: 'Page status' })
  await expect(pageStatus).toContainText('You are offline.')
  await expect(page.getByText('You are offline, so we cannot search.')).toBeVisible()
  // The list stays, and so do the filters that it has been found by.
  await expect(page.getByRole('article').first()).toBeVisible()
  await expect(page.getByRole('radio', { name: 'Either', exact: true })).toBeChecked()
  await expect(page.getByRole('heading', { level: 2, name: /^\d+ practitioners/ })).toBeVisible()
  await expect(page).toHaveURL('/found-therapists')
  await context.setOffline(false)
  await expect(pageStatus).toBeEmpty()
  await expect(page.getByText('You are back online.')).toBeVisible()
  await page.getByRole('radio', { name: 'Face-to-face', exact: true }).click()
  await expect(page).toHaveURL('/found-therapists?session_type=face_to_face')
  await expect(page.getByRole('article').first()).toBeVisible()
})
