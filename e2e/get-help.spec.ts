import type { Page } from '@playwright/test'
import { sql } from 'kysely'
import { expect, inMotion } from './fixtures.ts'
import { messageLine, send } from './chats.ts'
import {
  answerNoDanger,
  availableTherapists,
  bookableAllDay,
  claimByApi,
  declineByApi,
  dialogOf,
  helpOf,
  issueId,
} from './help.ts'
import { keyboardOf } from './keyboard.ts'
import { test } from './own-server.ts'
import { callAs, password, register, saveCard, signIn } from './people.ts'
import { signInTherapist } from './therapists.ts'

/** Hours that local time is ahead of UTC where it is nine in the morning, so that a free time of today is left. */
const ahead = ((9 - new Date().getUTCHours() + 36) % 24) - 12

const timezoneId = `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`

test.use({ ...inMotion, seed: 'reference', timezoneId })

const searchPath = `/get-help/search-therapist?issueId=${issueId}`
const numbers = ['tel:999', 'tel:111', 'tel:116123']

/** The numbers are on the screen as links that call, and no second time below it. */
async function expectNumbers(page: Page): Promise<void> {
  for (const number of numbers) {
    await expect(page.getByRole('main').locator(`a[href="${number}"]`)).toBeVisible()
    await expect(page.locator(`a[href="${number}"]`).filter({ visible: true })).toHaveCount(1)
  }
}

const title = (page: Page, name: string | RegExp) =>
  expect(page.getByRole('heading', { level: 1, name })).toBeVisible()

test('a client asks for help by keyboard alone on a phone, and a practitioner accepts within seconds', async ({
  server,
  request,
  page,
  openContext,
  allowComplaint,
}) => {
  test.setTimeout(240_000)
  const [nora] = await availableTherapists(server, request, [['Nora', 'Ellis']])
  if (!nora) throw new Error('Nobody is there to be asked.')
  const therapist = await (await openContext({ baseURL: server.url })).newPage()
  await signInTherapist(therapist, nora)
  await therapist.addInitScript(`
    globalThis.notesPlayed = 0
    const start = OscillatorNode.prototype.start
    OscillatorNode.prototype.start = function (...given) {
      globalThis.notesPlayed++
      return start.apply(this, given)
    }`)
  await therapist.goto('/therapist/dashboard')
  await expect(therapist.getByRole('region', { name: 'Help right now, today' })).toContainText(
    'No sessions yet today',
  )

  const account = await register(request, 'Robin Vale')
  await page.setViewportSize({ width: 320, height: 640 })
  const keys = keyboardOf(page)
  await page.goto('/')
  await keys.press(page.getByRole('link', { name: 'I need help right now' }), 'Enter')
  await title(page, 'Get help right now')
  await expect(page).toHaveURL('/get-help')
  await expect(page).toHaveTitle('Get help right now – Hearth')
  await expect(page.getByRole('button', { name: 'No', exact: true })).toBeInViewport({ ratio: 1 })
  await expectNumbers(page)

  await test.step('without JavaScript the numbers are there; practitioners are no clients', async () => {
    const plain = await (await openContext({ baseURL: server.url, javaScriptEnabled: false })).newPage()
    await plain.goto(`/get-help?issueId=${issueId}`)
    await expectNumbers(plain)
    await plain.goto('/get-help')
    await expectNumbers(plain)
    await expect(plain.locator('noscript p').first()).toHaveText('The search needs JavaScript')
    await expect(plain.getByRole('button', { name: 'Yes', exact: true })).toBeHidden()
    await plain.context().close()
    await therapist.goto('/get-help')
    await expect(therapist).toHaveURL('/sign-in?return_to=%2Fget-help')
    // Browsers play no sound on a page before its first touch.
    await therapist.getByRole('heading', { level: 1 }).click()
  })

  await test.step('danger leads to the numbers and to nothing else', async () => {
    await keys.press(page.getByRole('button', { name: 'Yes', exact: true }), 'Enter')
    await title(page, 'Please call now')
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    await expectNumbers(page)
    // Neither the address nor the title, which a browser keeps, holds the answer.
    await expect(page).toHaveURL('/get-help')
    await expect(page).toHaveTitle('Get help right now – Hearth')
    for (const path of [
      '/get-help?step=description',
      '/get-help?step=issues',
      `/get-help?issueId=${issueId}`,
    ]) {
      await page.goto(path)
      await title(page, 'Please call now')
      await expect(page.getByRole('main').getByText(/£|Pay/)).toHaveCount(0)
    }
    await keys.press(page.getByRole('button', { name: 'Ask me the question again' }), 'Enter')
    await expect(page.getByRole('heading', { name: /in danger right now/ })).toBeVisible()
  })

  await test.step('from the description to the search, by way of signing in', async () => {
    await page.goto('/get-help')
    await keys.press(page.getByRole('button', { name: 'No', exact: true }), 'Enter')
    await title(page, 'Talk to someone in minutes')
    await expect(page).toHaveTitle('Talk to someone in minutes – Get help right now – Hearth')
    await expect(page.getByRole('main')).not.toContainText('2 to 3 minutes')
    await expectNumbers(page)
    await keys.press(page.getByRole('button', { name: 'About the price' }), 'Enter')
    await expect(page.getByRole('dialog', { name: 'About the price' })).toContainText('charged only once')
    await page.keyboard.press('Escape')
    await keys.press(page.getByRole('link', { name: 'Next step' }), 'Enter')
    await expect(page.getByRole('heading', { name: 'What do you need help with?' })).toBeVisible()
    await expect(page).toHaveTitle('What it is about – Get help right now – Hearth')
    await expectNumbers(page)
    await keys.type(page.getByLabel('Search this list'), 'switch off')
    await expect(page.getByText('1 found')).toBeVisible()
    await keys.press(page.getByRole('main').getByRole('link', { name: /^Anxiety/ }), 'Enter')
    await title(page, 'Anxiety')
    await expect(page).toHaveTitle('Anxiety – Get help right now – Hearth')
    await expectNumbers(page)
    const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' })
    await expect(crumbs.getByRole('link')).toHaveText(['Home', 'Get help right now'])
    await expect(page.getByRole('region', { name: 'Session details' })).toContainText('15 Minutes')
    await keys.press(page.getByRole('link', { name: 'Search available Therapist' }), 'Enter')
    await title(page, 'Login as patient')
    await keys.type(page.getByLabel('Email'), account.email)
    await keys.type(page.getByLabel('Password', { exact: true }), password)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(searchPath)
  })

  await test.step('who it is stands there before anything is paid', async () => {
    await title(page, 'Your Therapist')
    await expectNumbers(page)
    const found = page.getByRole('region', { name: 'Nora Ellis' })
    await expect(found).toContainText('8 years of experience')
    await expect(found).toContainText('Anxiety')
    await keys.press(page.getByRole('button', { name: 'Pay £25' }), 'Enter')
    await title(page, 'Adding new card')
    await expect(page).toHaveURL(/\/add-card\?.*price=25&process=get-help-process&issueId=1$/)
    await expect(page.getByText('Held for you for')).toBeVisible()
    await expectNumbers(page)
    await page.reload()
    await keys.type(page.getByLabel('Card number'), '4242424242424242')
    await keys.type(page.getByLabel('Expiry date'), `12${String(new Date().getFullYear() + 3).slice(2)}`)
    await keys.type(page.getByLabel('Security code'), '123')
    await keys.press(page.getByRole('radio', { name: /^Remember the card/ }), 'Space')
    await keys.press(page.getByRole('button', { name: 'Save card and pay £25' }), 'Enter')
  })

  await test.step('the practitioner is asked wherever they are, and nothing is taken before they accept', async () => {
    await title(page, 'We are asking a therapist')
    await expect(page.getByText('Asking Nora Ellis')).toBeVisible()
    await expect(page.getByRole('timer')).toHaveText(/^[01]:[0-5]\d$/)
    await expectNumbers(page)
    expect((await helpOf(request, account))?.dispatch?.money.state).toBe('reserved')
    const offer = therapist.getByRole('alertdialog', { name: 'Robin V. asks for help right now' })
    await expect(offer).toBeVisible()
    await expect(offer).toContainText('Anxiety')
    await expect(offer.getByRole('timer')).toHaveText(/^[01]:[0-5]\d$/)
    await expect.poll(() => therapist.title()).toBe('Robin V. asks for help')
    expect(await therapist.evaluate('globalThis.notesPlayed')).toBe(2)

    // Elsewhere, after a reload and back again, it is still said how it stands.
    await page.goto('/frequently-asked-questions')
    const bar = page.getByRole('complementary', { name: 'Your search for help' })
    await expect(bar).toContainText('We are asking Nora Ellis for you.')
    await keys.press(bar.getByRole('link', { name: 'See how it is going' }), 'Enter')
    await title(page, 'We are asking a therapist')

    // Escape only puts it aside.
    await therapist.keyboard.press('Escape')
    await expect(offer).toBeHidden()
    const strip = therapist.getByRole('complementary', { name: 'A client asks for help' })
    await expect(strip).toContainText(/^Robin V\. asks for help\. Time left to answer/)
    const [top, below] = [await strip.boundingBox(), await therapist.getByRole('main').boundingBox()]
    if (!top || !below) throw new Error('The strip or the page is not there.')
    expect(top.y + top.height, 'it covers nothing of the page').toBeLessThanOrEqual(below.y)
    await strip.getByRole('button', { name: 'Answer' }).click()

    // The event that the request is closed comes before the own answer does.
    const answered = Promise.withResolvers<void>()
    await therapist.route('**/requests/*/accept', async (route) => {
      const response = await route.fetch()
      await answered.promise
      await route.fulfill({ response })
    })
    await offer.getByRole('button', { name: 'Accept and begin' }).click()
    await expect.poll(() => therapist.title()).not.toBe('Robin V. asks for help')
    await expect(offer).toBeVisible()
    await expect(therapist.getByText('This request is over')).toHaveCount(0)
    answered.resolve()
  })

  const sessionPage = /\/session\?appointment=[\da-f-]{36}$/
  await test.step('both land on the page of their session, with its clock, its room and the chat', async () => {
    await expect(page).toHaveURL(sessionPage)
    await title(page, 'Your session with Nora Ellis')
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    await expect(page).toHaveTitle('Session with Nora Ellis – Hearth')
    await expect(page.getByText('Session is booked, thank you!')).toBeVisible()
    await expect(page.getByText('£25 paid')).toBeVisible()
    await expectNumbers(page)
    await expect(therapist).toHaveURL(sessionPage)
    expect(new URL(therapist.url()).search).toBe(new URL(page.url()).search)
    await title(therapist, 'Your session with Robin V.')
    await expect(therapist).toHaveTitle('Session with Robin V. – Hearth')
    for (const side of [page, therapist]) {
      const facts = side.getByRole('region', { name: /^Your session with / })
      await expect(facts).toContainText('About: Anxiety')
      await expect(facts.getByText('Time left')).toBeVisible()
      await expect(facts.getByRole('timer')).toHaveText(/^1[0-5]:[0-5]\d$/)
      await expect(facts.getByRole('link', { name: /^Join the room/ })).toHaveAttribute(
        'href',
        'https://rooms.example.test/now',
      )
    }
    await send(therapist, 'I am here. Take your time.')
    await expect(messageLine(page, 'I am here. Take your time.')).toBeVisible()
  })

  await test.step('their chat has the same bar, and is named by the other one', async () => {
    const chat = `/chat?dialogId=${await dialogOf(request, account)}`
    for (const [side, name] of [
      [page, 'Nora Ellis'],
      [therapist, 'Robin V.'],
    ] as const) {
      await side.goto(chat)
      await title(side, name)
      await expect(side).toHaveTitle(`Chat with ${name} – Hearth`)
      const bar = side.getByRole('complementary', { name: 'Your session today' })
      await expect(bar).toContainText('Anxiety')
      await expect(bar.getByRole('timer')).toHaveText(/^1[0-5]:[0-5]\d$/)
      await expect(bar.getByRole('link', { name: /^Join the room/ })).toBeVisible()
    }
    await keys.press(page.getByRole('link', { name: 'See the session' }), 'Enter')
    await expect(page).toHaveURL(sessionPage)
  })

  await test.step('the address leads through the sign-in and back, and to nothing for others', async () => {
    const path = new URL(page.url()).pathname + new URL(page.url()).search
    allowComplaint(/status of 404/)
    const other = await (await openContext({ baseURL: server.url })).newPage()
    await other.goto(path)
    await title(other, 'Login as patient')
    const stranger = await register(request, 'Sam Rivers')
    await other.getByLabel('Email').fill(stranger.email)
    await other.getByLabel('Password', { exact: true }).fill(password)
    await other.keyboard.press('Enter')
    await title(other, 'We cannot find this session')
    await expect(other).toHaveURL(path)
    await other.context().close()
  })

  await test.step('it stands on the pages of both', async () => {
    await therapist.goto('/therapist/dashboard')
    const today = therapist.getByRole('region', { name: 'Help right now, today' })
    await expect(today).toContainText('Robin')
    await expect(today).toContainText('Earned today£25')
    await page.goto('/my-sessions')
    await expect(page.getByRole('listitem').filter({ hasText: 'Nora Ellis' })).toContainText(
      'cannot be moved or cancelled once it is accepted',
    )
    await expect(page.getByRole('complementary', { name: 'Your search for help' })).toHaveCount(0)
  })

  await test.step('what becomes of it shows on the open page', async () => {
    await page.goBack()
    await expect(page).toHaveURL(sessionPage)
    await expect(page.getByText('Time left')).toBeVisible()
    const id = new URL(page.url()).searchParams.get('appointment')
    await callAs(request, nora, 'POST', `/therapist/sessions/${id}/cancel`, {})
    await expect(page.getByText('Nora Ellis cancelled this session.')).toBeVisible()
    await expect(page.getByRole('timer')).toHaveCount(0)
    await expect(page.getByRole('link', { name: /^Join the room/ })).toHaveCount(0)
  })
})

test('another practitioner is held than was shown, and when none is left the money is refunded', async ({
  server,
  request,
  page,
  openContext,
  allowComplaint,
}) => {
  test.setTimeout(240_000)
  allowComplaint(/status of (402|409)/)
  const therapists = await availableTherapists(server, request, [
    ['Nora', 'Ellis'],
    ['Omar', 'Reid'],
  ])
  await bookableAllDay(server, request, therapists, timezoneId)
  const other = await register(request, 'Sam Rivers')
  const otherCard = await saveCard(request, other)
  const account = await register(request, 'Robin Vale')
  await saveCard(request, account, '4000002500003155')
  await signIn(page, account)

  await test.step('no address leads past the question about danger', async () => {
    await page.goto(searchPath)
    await page.getByRole('button', { name: 'Yes', exact: true }).click()
    await title(page, 'Please call now')
    const held = await claimByApi(request, account)
    for (const path of [
      searchPath,
      `/add-card?session=${held.session_id}&price=25&process=get-help-process&issueId=1`,
      `/add-card?session=${held.session_id}&price=25`,
    ]) {
      await page.goto(path)
      await title(page, 'Please call now')
      await expectNumbers(page)
      await expect(page.getByRole('button', { name: /pay|card/i })).toHaveCount(0)
      await expect(page.getByLabel('Card number')).toHaveCount(0)
    }
    expect(page.url()).not.toMatch(/danger|safe/)
    await callAs(request, account, 'POST', '/appointment/cancel-session', { appointment_id: held.session_id })
    await page.goto(searchPath)
    await page.getByRole('button', { name: 'Ask me the question again' }).click()
    await answerNoDanger(page)
    await expect(page).toHaveURL(searchPath)
  })

  await test.step('a search that fails says so with the text of the specification, and comes when asked again', async () => {
    await title(page, 'Your Therapist')
    allowComplaint(/ERR_FAILED/)
    const seen = Promise.withResolvers<void>()
    await page.route('**/get-help-right-now?issue_id=*', async (route) => {
      await seen.promise
      return route.abort()
    })
    await page.reload()
    await expect(page.getByText('Please wait, we are searching Therapist for you...')).toBeVisible()
    seen.resolve()
    await title(page, 'Sorry, right now all our Therapists are busy')
    await expect(page.getByRole('alert')).toContainText('The search did not go through')
    await expect(page.getByRole('main').getByText(/refund|money back|£25/)).toHaveCount(0)
    await expectNumbers(page)
    await page.unroute('**/get-help-right-now?issue_id=*')
    await page.getByRole('button', { name: 'Search again' }).click()
  })

  await test.step('another client was quicker: the practitioner now held is shown, and nothing is paid yet', async () => {
    await title(page, 'Your Therapist')
    const name = await page.getByRole('main').getByRole('heading', { level: 2 }).first().innerText()
    const [shown, next] = name.startsWith('Nora') ? therapists : therapists.toReversed()
    if (!shown || !next) throw new Error('Two should be there.')
    const theirs = await claimByApi(request, other, shown)
    expect(theirs.practitioner_id).toBe(shown.id)
    await page.route('**/get-help-right-now', (route) => route.abort())
    await page.getByRole('button', { name: 'Pay £25' }).click()
    await expect(page.getByRole('alert')).toContainText('The connection was lost')
    await page.unroute('**/get-help-right-now')
    await page.getByRole('button', { name: 'Pay £25' }).click()
    await expect(page.getByRole('alert')).toContainText(
      `${shown.firstName} ${shown.lastName} has just been taken`,
    )
    await expect(page.getByRole('heading', { name: `${next.firstName} ${next.lastName}` })).toBeVisible()
    expect((await helpOf(request, account))?.dispatch).toMatchObject({
      state: 'claimed',
      money: { state: 'not_paid' },
    })

    await page.getByRole('button', { name: 'Pay £25' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
    await title(page, 'We are asking a therapist')
    await expect(page.getByText(`Asking ${next.firstName} ${next.lastName}`)).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.goForward()
    await title(page, 'We are asking a therapist')
    await page.reload()
    await title(page, 'We are asking a therapist')
    await declineByApi(request, next)
  })

  await test.step('no practitioner is left: the texts of the specification, and where the money is', async () => {
    await title(page, 'Sorry, right now all our Therapists are busy')
    await expect(page.getByText(/^Your £25 (is on its way back|has been refunded)$/)).toBeVisible()
    await expectNumbers(page)
    await expect.poll(async () => (await helpOf(request, account))?.dispatch?.money.state).toBe('returned')
    await expect(page.getByText('Your £25 has been refunded')).toBeVisible({ timeout: 30_000 })
    await expect(page.getByRole('link', { name: 'See available Therapists' })).toHaveAttribute(
      'href',
      /^\/found-therapists/,
    )
    const today = page.getByRole('region', { name: 'Free later today' })
    await expect(today.getByRole('listitem')).toHaveCount(2)
    const book = today.getByRole('link', { name: /^Book \d\d:\d\d with (Nora Ellis|Omar Reid)$/ })
    await expect(book.first()).toHaveAttribute(
      'href',
      /^\/book-therapist\?practitionerId=\d+&service=1&datetime=/,
    )
    const [, time = '', name = ''] =
      /^Book (\S+) with (.+)$/.exec((await book.first().textContent()) ?? '') ?? []
    await book.first().click()
    await expect(page.getByRole('main')).toContainText(name)
    await expect(page.getByRole('main')).toContainText(`${time} to`)
    await page.goBack()
    await title(page, 'Sorry, right now all our Therapists are busy')
    await page.getByRole('link', { name: 'Search available Therapist' }).click()
    await expect(page).toHaveURL(searchPath)
  })

  await test.step('a waiting client stops at no cost', async () => {
    const held = await helpOf(request, other)
    await callAs(request, other, 'POST', '/payment/sandbox/existing-card-payment', {
      session_id: held?.session_id,
      fee_amount: 25,
      customer_id: otherCard.customer_id,
    })
    const waiting = await (await openContext({ baseURL: server.url })).newPage()
    await signIn(waiting, other)
    await waiting.goto('/get-help/session-is-booked?issueId=1')
    await waiting.getByRole('button', { name: 'Stop the search' }).click()
    await waiting.getByRole('button', { name: 'Keep waiting' }).click()
    expect((await helpOf(request, other))?.dispatch?.state).toBe('asking')
    await waiting.getByRole('button', { name: 'Stop the search' }).click()
    await waiting.getByRole('alertdialog').getByRole('button', { name: 'Stop the search' }).click()
    await title(waiting, 'You have stopped the search')
    await expect.poll(async () => (await helpOf(request, other))?.dispatch?.money.state).toBe('returned')
    expect(await callAs(request, other, 'GET', '/appointment/get-upcoming-sessions')).toEqual([])
  })
})

test('a page that stays open offers no time whose lead time has begun: a profile, and what is free later today', async ({
  server,
  request,
  page,
  allowComplaint,
}) => {
  test.setTimeout(240_000)
  // The sign-in is renewed as time passes.
  allowComplaint(/status of 401/)
  const therapists = await availableTherapists(server, request, [['Nora', 'Ellis']])
  const [nora] = therapists
  await bookableAllDay(server, request, therapists, timezoneId)
  // From nine in the morning on, none of the moments that the clock passes to is an hour to be asked for help in.
  await server.change(async (db) => {
    await sql`update practitioners set available_now_until = null`.execute(db)
    await sql`delete from weekly_hours where hour in (8, 9, 10, 11, 13, 14)`.execute(db)
  })
  await page.clock.install()
  /** Moves the clocks of the server and the page to a moment after the lead time of a start has begun. */
  const passStart = async (startsAt: string) => {
    const instant = Date.parse(startsAt) - 3_600_000 + 61_000
    const passedMs = instant - server.now()
    await server.passTo(instant)
    await page.clock.fastForward(passedMs)
  }

  await test.step('a profile reads its times again, and the chosen one stays chosen', async () => {
    // The page's own zone is London's.
    const read = page.waitForResponse('**/next-available-sessions*')
    await page.goto(`/recommended-therapist?practitionerId=${nora?.id}&type=online`)
    const { slots } = (await (await read).json()) as { slots: { starts_at: string }[] }
    const [gone = '', chosen = ''] = slots.map(({ starts_at }) => starts_at)
    const time = (startsAt: string) =>
      page.getByRole('group', { name: /^Free times on/ }).locator(`input[value="${startsAt}"]`)
    await expect(time(gone)).toHaveCount(1)
    await time(chosen).focus()
    await page.keyboard.press('Space')
    await expect(time(chosen)).toBeChecked()
    await passStart(gone)
    await expect(time(gone)).toHaveCount(0)
    await expect(time(chosen)).toBeChecked()
    await expect(time(chosen)).toBeFocused()
  })

  await test.step('what is free later today is read again', async () => {
    await signIn(page, await register(request, 'Robin Vale'))
    await page.goto(searchPath)
    await answerNoDanger(page)
    await title(page, 'Sorry, right now all our Therapists are busy')
    const book = page
      .getByRole('region', { name: 'Free later today' })
      .getByRole('link', { name: /^Book \d\d:\d\d with Nora Ellis$/ })
    await expect(book).toBeVisible()
    const href = (await book.getAttribute('href')) ?? ''
    await passStart(new URL(href, server.url).searchParams.get('datetime') ?? '')
    await expect(book).not.toHaveAttribute('href', href)
    await expect(book).toHaveAttribute('href', /^\/book-therapist\?/)
  })
})
