import type { Page } from '@playwright/test'
import { announced } from './announced.ts'
import {
  bookPath,
  chooseTime,
  dayLabel,
  expectHeld,
  fillCard,
  holdByApi,
  ownPractitioner,
  pounds,
  profilePath,
  timeWords,
  twoDays,
  upcoming,
} from './booking.ts'
import { expect, inMotion, test } from './fixtures.ts'
import { keyboardOf } from './keyboard.ts'
import { holdAnswers } from './lost-answers.ts'
import { callAs, newEmail, password, register, saveCard, signIn } from './people.ts'
import { dayAfter, keepHour, weekdayOf } from './series.ts'

test.use(inMotion)

test('a client signs up, finds a practitioner, books and pays, moves the session and cancels it', async ({
  page,
  request,
}, info) => {
  const offer = await ownPractitioner(request, info)
  const [first, second] = twoDays(offer)
  const price = pounds(offer.service.fee)

  await test.step('sign-up', async () => {
    await page.goto('/')
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Create an account' })
      .click()
    await expect(page).toHaveURL('/sign-up')
    await page.getByLabel('Name').fill('Sam Okafor')
    await page.getByLabel('Email').fill(newEmail())
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('checkbox', { name: 'I am 18 or over' }).check()
    await page.getByRole('checkbox', { name: /^I accept the/ }).check()
    await page.getByRole('checkbox', { name: /^I agree that Hearth uses/ }).check()
    await page.getByRole('button', { name: 'Create an account' }).click()
    await expect(page).toHaveURL('/send-referal')
    await page.getByRole('button', { name: 'Skip' }).click()
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('button', { name: /^Sam\b.*account$/ })).toBeVisible()
  })

  await test.step('find the practitioner by name', async () => {
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Find a Therapist or Psychiatrist' })
      .click()
    await expect(
      page.getByRole('heading', { level: 1, name: 'List of Therapist or Psychiatrist' }),
    ).toBeVisible()
    await page.getByRole('searchbox', { name: 'Name' }).fill(offer.name)
    await expect(page).toHaveURL(/[?&]name=/)
    const card = page.getByRole('article', { name: offer.name, exact: true }).first()
    const times = card.getByRole('list', { name: `Next free times of ${offer.name}` }).getByRole('link')
    const start = new URL((await times.first().getAttribute('href')) ?? '', page.url()).searchParams
    await times.first().click()
    await expect(page).toHaveURL(
      new RegExp(`/book-therapist\\?practitionerId=${offer.id}&service=\\d+&datetime=`),
    )
    await expect(page.getByRole('main')).toContainText(dayLabel(start.get('datetime') ?? ''))
    await page.goBack()
    await page
      .getByRole('link', { name: `See profile of ${offer.name}`, exact: true })
      .first()
      .click()
    await expect(page.getByRole('heading', { level: 1, name: offer.name })).toBeVisible()
  })

  await test.step('choose a time', async () => {
    // Two practitioners may share a name; the one whose times are this test's is opened by its number.
    if (new URL(page.url()).searchParams.get('practitionerId') !== String(offer.id)) {
      await page.goto(profilePath(offer))
    }
    const area = page.getByRole('region', { name: 'Book a session' })
    await chooseTime(area, first)
    await expect(area.getByRole('status').filter({ hasText: dayLabel(first) })).toContainText(
      timeWords(first),
    )
    await area.getByRole('link', { name: 'Book session' }).click()
  })

  await test.step('review, then the time is held', async () => {
    await expect(page.getByRole('heading', { level: 1, name: 'Check and pay' })).toBeVisible()
    const main = page.getByRole('main')
    await expect(main.getByRole('heading', { name: offer.name })).toBeVisible()
    await expect(main).toContainText(offer.service.name)
    await expect(main).toContainText(dayLabel(first))
    await expect(main).toContainText(price)
    await expect(main).toContainText('You can move or cancel it free of charge')
    await page.getByRole('button', { name: 'Continue to payment' }).click()
  })

  await test.step('add a card and pay', async () => {
    await expect(page.getByRole('heading', { level: 1, name: 'Adding new card' })).toBeVisible()
    await expectHeld(page)
    await page.getByRole('button', { name: 'Hold it 10 minutes longer' }).click()
    await expect(page.getByRole('timer')).toHaveText(/^1\d:[0-5]\d$/)
    await expect(page.getByRole('button', { name: 'Hold it 10 minutes longer' })).toBeHidden()
    const pay = page.getByRole('button', { name: `Save card and pay ${price}` })
    await pay.click()
    await expect(page.getByLabel('Card number')).toBeFocused()
    await fillCard(page)
    await pay.click()
    await expect(page.getByRole('heading', { level: 1, name: 'Session is booked' })).toBeVisible()
    await expect(page.getByRole('main')).toContainText(timeWords(first))
    await expect(page.getByRole('link', { name: 'Homepage' })).toHaveAttribute('href', '/')
  })

  const session = page.getByRole('main').getByRole('listitem', { name: offer.name })
  await test.step('my sessions', async () => {
    await page.getByRole('main').getByRole('link', { name: 'My Sessions' }).click()
    await expect(page).toHaveURL('/my-sessions')
    await expect(session).toContainText(dayLabel(first))
    await expect(session).toContainText(timeWords(first))
    await expect(session.getByRole('link', { name: /room of the session/ })).toHaveAttribute(
      'href',
      /^https:/,
    )
    await expect(session.getByRole('link', { name: /^Join/ })).toHaveCount(0)
    // Each button names the session that it is about, its visible word first.
    const named = `session with ${offer.name}, ${dayLabel(first)}, ${timeWords(first)}`
    for (const button of [`Cancel ${named}`, `Move ${named}`, `Add to calendar: ${named}`])
      await expect(session.getByRole('button', { name: button })).toBeVisible()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      session.getByRole('button', { name: 'Add to calendar' }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/\.ics$/)
    await page.getByRole('link', { name: 'Hearth', exact: false }).first().click()
    const next = page.getByRole('region', { name: 'Your next session' })
    await expect(page.getByRole('heading', { level: 1, name: 'Hello, Sam' })).toBeVisible()
    await expect(next).toContainText(offer.name)
    await expect(next).toContainText(dayLabel(first))
    await expect(page.getByText('Your email is not confirmed yet')).toBeVisible()
    await next.getByRole('link', { name: 'My Sessions' }).click()
  })

  await test.step('move it', async () => {
    await session.getByRole('button', { name: 'Move' }).click()
    const dialog = page.getByRole('dialog', { name: 'Book an appointment' })
    await chooseTime(dialog, second)
    const change = dialog.getByRole('region', { name: 'Your change' })
    await expect(change).toContainText(dayLabel(second))
    await expect(change).toContainText('The price stays the same.')
    await dialog.getByRole('button', { name: 'Book session' }).click()
    await expect(dialog.getByRole('heading', { name: 'Your booking is changed!' })).toBeVisible()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await expect(session.getByText(dayLabel(second), { exact: true })).toBeVisible()
    await expect(session.getByText(dayLabel(first), { exact: true })).toHaveCount(0)
  })

  await test.step('cancel it, with the refund said before the click', async () => {
    await session.getByRole('button', { name: 'Cancel session' }).click()
    const question = page.getByRole('alertdialog', { name: 'Cancel this session?' })
    await expect(question).toContainText('You get back, to the card you paid with')
    await expect(question).toContainText(price)
    await question.getByLabel('Reason').fill('I am travelling')
    await page.keyboard.press('Escape')
    await expect(question).toBeHidden()
    await session.getByRole('button', { name: 'Cancel session' }).click()
    await expect(question.getByLabel('Reason')).toHaveValue('I am travelling')
    await question.getByRole('button', { name: 'Cancel session' }).click()
    await expect(page.getByText("Sorry, but you don't have any sessions to show.")).toBeVisible()
    await expect(page.getByText(`${price} for ${offer.name} is on its way back`)).toBeVisible()
  })
})

test('a saved card pays in one press and leads to my sessions', async ({
  page,
  request,
  openContext,
}, info) => {
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  await saveCard(request, account)
  await signIn(page, account)
  const [time = ''] = offer.times

  await page.goto(`/book-therapist?practitionerId=${offer.id}`)
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { name: offer.name })).toBeVisible()
  await expect(main).toContainText(/Session cost (from )?£\d/)
  await expect(main.getByRole('link', { name: 'Start chat with therapist' })).toHaveAttribute(
    'href',
    `/chats?with=${offer.id}`,
  )
  await page.goto(bookPath(offer, time))
  await expect(main.getByRole('heading', { name: 'Session cost' })).toBeVisible()
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await expectHeld(page)
  await expect(page.getByRole('radio', { name: /4242/ })).toBeChecked()
  await page.getByRole('button', { name: `Pay ${pounds(offer.service.fee)}` }).click()

  await expect(page).toHaveURL('/my-sessions')
  await expect(page.getByText('Your session is booked')).toBeVisible()
  await expect(page.getByRole('listitem', { name: offer.name })).toContainText(dayLabel(time))
  expect(await upcoming(request, account)).toMatchObject([{ status: 'confirmed', fee: offer.service.fee }])
  const session = page.getByRole('listitem', { name: offer.name })
  // The button to join comes by itself, fifteen minutes before the start.
  await page.route('**/get-upcoming-sessions', async (route) => {
    const response = await route.fetch()
    const [booked] = (await response.json()) as object[]
    const starts_at = new Date(Date.now() + 15 * 60_000 + 4000).toISOString()
    await route.fulfill({ response, json: [{ ...booked, starts_at }] })
  })
  await page.reload()
  await expect(session.getByRole('link', { name: /room of the session/ })).toBeVisible()
  await expect(session.getByRole('link', { name: /^Join/ })).toBeHidden()
  await expect(page.getByText('Your session is booked')).toBeHidden()
  await expect(session.getByRole('link', { name: `Join the session with ${offer.name}` })).toHaveAttribute(
    'href',
    /^https:/,
  )

  // From another zone, each question about the session shows both clocks.
  const away = await (await openContext({ timezoneId: 'America/New_York' })).newPage()
  await signIn(away, account)
  await away.goto('/my-sessions')
  const clocks = [/Your time: New York, Eastern/, /Practitioner’s time: \d\d:\d\d( to \d\d:\d\d)?, London/]
  const booked = away.getByRole('listitem', { name: offer.name })
  for (const clock of clocks) await expect(booked).toContainText(clock)
  await booked.getByRole('button', { name: 'Move' }).click()
  const change = away.getByRole('dialog').getByRole('region', { name: 'Your change' })
  for (const clock of clocks) await expect(change).toContainText(clock)
  await away.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await booked.getByRole('button', { name: 'Cancel session' }).click()
  for (const clock of clocks) await expect(away.getByRole('alertdialog')).toContainText(clock)

  // Browsers report this zone by an old name of its city.
  const nepal = await (await openContext({ timezoneId: 'Asia/Kathmandu' })).newPage()
  await signIn(nepal, account)
  await nepal.goto('/my-sessions')
  await expect(nepal.getByRole('listitem', { name: offer.name })).toContainText(
    'Your time: Kathmandu, Nepal Time',
  )
})

test('a client with regular sessions sees first that another session is booked, and reads in whole lines how to change it', async ({
  page,
  request,
}, info) => {
  const [regular, offer] = [await ownPractitioner(request, info), await ownPractitioner(request, info)]
  const account = await register(request)
  const [hour = ''] = regular.times
  await keepHour(request, account, regular, hour)
  const time = offer.times.find((each) => weekdayOf(dayAfter(each, 0)) !== weekdayOf(dayAfter(hour, 0))) ?? ''
  await page.setViewportSize({ width: 375, height: 812 })
  await signIn(page, account)
  await page.goto(bookPath(offer, time))
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await page.getByRole('button', { name: `Pay ${pounds(offer.service.fee)}` }).click()

  await expect(page).toHaveURL('/my-sessions')
  await expect(page.getByRole('heading', { name: 'Your regular sessions' })).toBeVisible()
  await expect(page.getByText('Your session is booked')).toBeInViewport({ ratio: 1 })
  const rule = page.getByRole('listitem', { name: offer.name }).getByText(/^You can move or cancel it/)
  for (const width of [320, 375, 768, 1280]) {
    await page.setViewportSize({ width, height: 812 })
    const { x = 0, width: space = 0 } = (await rule.boundingBox()) ?? {}
    expect(space).toBeGreaterThan(200)
    expect(x + space).toBeLessThanOrEqual(width)
  }
})

test('five minutes left are announced again after a hold was made longer', async ({
  page,
  request,
}, info) => {
  const offer = await ownPractitioner(request, info)
  await signIn(page, await register(request))
  // Little more than five minutes are left when the page hears of the hold, and when it hears that it is longer.
  const ends = new Map<boolean, string>()
  await page.route(/\/api\/v7\/appointment\/[0-9a-f-]{36}$/, async (route) => {
    const response = await route.fetch()
    const session = (await response.json()) as { hold_extendable: boolean }
    const end = ends.get(session.hold_extendable) ?? new Date(Date.now() + 308_000).toISOString()
    ends.set(session.hold_extendable, end)
    await route.fulfill({ response, json: { ...session, hold_expires_at: end } })
  })
  await page.goto(bookPath(offer, offer.times[0] ?? ''))
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  const warnings = announced(page).getByText('Held for you for 5 more minutes')
  await expect(warnings).toHaveCount(1)
  await expect(warnings).toHaveCount(0)
  await page.getByRole('button', { name: 'Hold it 10 minutes longer' }).click()
  await expect(warnings).toHaveCount(1)
  expect(ends.size).toBe(2)
})

/** Has the page read that the first hold ends in a moment. */
async function endFirstHoldSoon(page: Page): Promise<void> {
  let firstId = ''
  let firstEnd = ''
  await page.route(/\/api\/v7\/appointment\/[0-9a-f-]{36}$/, async (route) => {
    const response = await route.fetch()
    const session = (await response.json()) as { session_id: string; hold_expires_at: string | null }
    // The first hold is a short one.
    firstId ||= session.session_id
    if (session.session_id === firstId && session.hold_expires_at) {
      firstEnd ||= new Date(Date.now() + 5000).toISOString()
      Object.assign(session, { hold_expires_at: firstEnd, hold_extendable: false })
    }
    await route.fulfill({ response, json: session })
  })
}

test('what is typed on the card form survives the end of the hold, and pays once the time is held again', async ({
  page,
  request,
}, info) => {
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  await signIn(page, account)
  const [time = ''] = offer.times
  await endFirstHoldSoon(page)
  await page.goto(bookPath(offer, time))
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await expect(page.getByText('Held for you for')).toBeVisible()
  await fillCard(page)
  await expect(page.getByRole('main').getByText('The time is not held any more')).toBeVisible()
  await expect(announced(page)).toContainText('The time is not held any more')
  await expect(announced(page)).not.toContainText('Hold it again')
  await expect(announced(page)).toContainText('The time is up')
  // What has been chosen by the time that it is held keeps the focus.
  const chosen = Promise.withResolvers<void>()
  await page.route('**/appointment/create-session', async (route) => {
    await chosen.promise
    await route.fallback()
  })
  await page.getByRole('button', { name: 'Hold it again' }).click()
  await page.getByLabel('Security code').fill('12')
  chosen.resolve()
  await expectHeld(page)
  await page.keyboard.type('3')
  await expect(page.getByRole('main').getByText('The time is not held any more')).toBeHidden()
  await expect(page.getByLabel('Card number')).toHaveValue('4242 4242 4242 4242')
  await expect(page.getByLabel('Security code')).toHaveValue('123')
  await page.getByRole('button', { name: `Save card and pay ${pounds(offer.service.fee)}` }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Session is booked' })).toBeVisible()
  expect(await upcoming(request, account)).toMatchObject([{ status: 'confirmed', fee: offer.service.fee }])
})

test('a card that is paid with after the end of the hold has the time held again, and leads to the booked session', async ({
  page,
  request,
}, info) => {
  const offer = await ownPractitioner(request, info)
  await signIn(page, await register(request))
  await endFirstHoldSoon(page)
  await page.goto(bookPath(offer, offer.times[0] ?? ''))
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await fillCard(page)
  await expect(page.getByRole('main').getByText('The time is not held any more')).toBeVisible()
  const first = page.url()
  const payments = await holdAnswers(page, '**/existing-card-payment')
  await page.getByRole('button', { name: `Save card and pay ${pounds(offer.service.fee)}` }).click()
  // The address names the new hold by the time that it is paid.
  await payments.isAsked
  await expect(page).not.toHaveURL(first)
  payments.release()
  await expect(page.getByRole('heading', { level: 1, name: 'Session is booked' })).toBeVisible()
})

test('a time whose price has risen since its hold ended leads to its new price, and one released elsewhere is not said to be unpaid', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(/status of 422.*create-session/)
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  await signIn(page, account)
  let firstEnd = ''
  // The first hold is a short one, of a price that was lower.
  await page.route(/\/api\/v7\/appointment\/[0-9a-f-]{36}$/, async (route) => {
    const response = await route.fetch()
    const session = (await response.json()) as { status: string; fee: number; full_fee: number }
    firstEnd ||= new Date(Date.now() + 4000).toISOString()
    const fee = session.fee - 10
    const cheap = { ...session, fee, full_fee: fee, hold_expires_at: firstEnd, hold_extendable: false }
    await route.fulfill({ response, json: cheap })
  })
  await page.goto(bookPath(offer, offer.times[0] ?? ''))
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await expect(page.getByRole('main').getByText('The time is not held any more')).toBeVisible()
  const again = page.getByRole('button', { name: 'Hold it again' })
  await again.press('Enter')
  await expect(page.getByRole('main').getByRole('alert')).toContainText('The price is different')
  await expect(again).toBeHidden()
  await keyboardOf(page).expectKept()
  const link = page.getByRole('link', { name: 'See the new price' })
  await page.unrouteAll({ behavior: 'wait' })
  await link.press('Enter')
  // Its hold is in truth still running.
  await expectHeld(page)
  await expect(page.getByText(pounds(offer.service.fee), { exact: true })).toBeVisible()

  const { session_id: id } = await holdByApi(request, account, offer, offer.times[0] ?? '')
  await callAs(request, account, 'POST', '/appointment/cancel-session', { appointment_id: id })
  await page.goto(`/add-card?session=${id}`)
  await expect(page.getByRole('heading', { name: 'We are no longer holding this time' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('It was released, or not paid in time.')
})

test('the booked page without a session claims none', async ({ page, request }) => {
  await signIn(page, await register(request))
  await page.goto('/session-is-booked')
  await expect(page.getByRole('heading', { level: 1, name: 'Everything you have booked' })).toBeVisible()
  await expect(page.getByRole('main')).not.toContainText('Session is booked')
  await expect(page).not.toHaveTitle(/Session is booked/)
  await page.getByRole('main').getByRole('link', { name: 'My Sessions' }).click()
  await expect(page).toHaveURL('/my-sessions')
})

test('a client releases a hold, and another client can book the time at once', async ({
  page,
  request,
}, info) => {
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  await saveCard(request, account)
  await signIn(page, account)
  const [time = ''] = offer.times

  await page.goto(bookPath(offer, time))
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await expectHeld(page)
  await page.getByRole('button', { name: 'Release this time' }).click()
  await expect(page).toHaveURL(new RegExp(`practitionerId=${offer.id}$`))
  await expect(page.getByRole('heading', { level: 1, name: offer.name })).toBeVisible()
  expect(await upcoming(request, account)).toEqual([])

  const other = await register(request, 'Ines Moreau')
  await signIn(page, other)
  await page.goto(bookPath(offer, time))
  await expect(page.getByRole('button', { name: 'Continue to payment' })).toBeEnabled()
})

test('booking a time that another client has just taken shows a message and charges nothing', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(/status of 409.*create-session/)
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  await signIn(page, account)
  const [time = ''] = offer.times

  await page.goto(bookPath(offer, time))
  const goOn = page.getByRole('button', { name: 'Continue to payment' })
  await expect(goOn).toBeEnabled()
  const quicker = await register(request, 'Ines Moreau')
  await request.post('/api/v7/appointment/create-session', {
    headers: { authorization: `Bearer ${quicker.token}`, 'idempotency-key': crypto.randomUUID() },
    data: {
      practitioner_id: offer.id,
      service_id: offer.service.id,
      datetime: time,
      appointment_type: 'online',
      booking_type: 'schedule',
      fee: offer.service.fee,
    },
  })
  await goOn.click()
  await expect(page.getByRole('alert')).toContainText('This time is no longer free')
  await page.getByRole('link', { name: 'Choose another time' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: offer.name })).toBeVisible()
  expect(await upcoming(request, account)).toEqual([])
})
