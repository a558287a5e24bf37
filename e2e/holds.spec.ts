import {
  bookByApi,
  bookPath,
  dayLabel,
  expectHeld,
  holdByApi,
  ownPractitioner,
  payByApi,
  pounds,
  timeWords,
  upcoming,
} from './booking.ts'
import { expect, test } from './fixtures.ts'
import { holdAnswers } from './lost-answers.ts'
import { callAs, register, saveCard, signIn } from './people.ts'

test('a client who has paid for a time in one tab is led to the session in another', async ({
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
  const { session_id: id } = await bookByApi(request, account, offer, time)
  const main = page.getByRole('main')
  const link = main.getByRole('link', { name: 'See your session' })

  await goOn.click()
  await expect(main.getByRole('alert')).toContainText('You have already booked this session')
  await expect(link).toHaveAttribute('href', `/session?appointment=${id}`)
  await expect(main).not.toContainText('no longer free')

  await page.reload()
  await expect(main.getByText('You have already booked this session')).toBeVisible()
  await expect(main).not.toContainText('no longer free')
  await link.click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Your session with ${offer.name}`)
})

test('a time held in another tab is on My Sessions, to pay for or release', async ({
  page,
  request,
}, info) => {
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  await saveCard(request, account)
  const [first = '', second = ''] = [offer.times[0], offer.times.at(-1)]
  await holdByApi(request, account, offer, first)
  await signIn(page, account)
  await page.goto('/my-sessions')
  const held = page.getByRole('region', { name: 'Held for you' })
  const time = held.getByRole('listitem').filter({ hasText: offer.name })
  await expect(time).toContainText(`${dayLabel(first)}, ${timeWords(first)}`)
  await expect(time).toContainText('Held for you until')

  await time.getByRole('button', { name: 'Release' }).click()
  await expect(held).toBeHidden()
  await expect(page.getByText('The time is released')).toBeVisible()

  await holdByApi(request, account, offer, second)
  await page.reload()
  await time.getByRole('link', { name: 'Pay' }).click()
  await expectHeld(page)
  await page.getByRole('button', { name: `Pay ${pounds(offer.service.fee)}` }).click()
  await expect(page).toHaveURL('/my-sessions')
  await expect(page.getByText('Your session is booked')).toBeVisible()
  await expect(held).toBeHidden()
})

test('a time that was paid for in another tab is not released: the session stays booked, and the page says so', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(/status of 409.*cancel-session/)
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  const card = await saveCard(request, account)
  const [first = '', second = ''] = [offer.times[0], offer.times.at(-1)]
  const payElsewhere = (session: { session_id: string }) =>
    payByApi(request, account, { ...card, ...session, fee_amount: offer.service.fee })
  const stays = page.getByText('This time was booked meanwhile, so it was not released.').first()
  await signIn(page, account)

  const onSessions = await holdByApi(request, account, offer, first)
  await page.goto('/my-sessions')
  const held = page.getByRole('region', { name: 'Held for you' })
  await expect(held).toContainText(`${dayLabel(first)}, ${timeWords(first)}`)
  await payElsewhere(onSessions)
  await held.getByRole('button', { name: 'Release' }).click()
  await expect(stays).toBeVisible()
  await expect(held).toBeHidden()
  await expect(page.getByText('The time is released')).toBeHidden()

  const onItsPage = await holdByApi(request, account, offer, second)
  await page.goto(bookPath(offer, second))
  await expectHeld(page)
  await payElsewhere(onItsPage)
  const pressed = Promise.withResolvers<void>()
  await page.route('**/appointment/cancel-session', async (route) => {
    await pressed.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Release this time' }).click()
  await expect(page.getByRole('button', { name: `Pay ${pounds(offer.service.fee)}` })).toBeDisabled()
  pressed.resolve()
  await expect(stays).toBeVisible()
  await expect(page.getByRole('main')).toContainText('You have booked this session')
  const booked = await upcoming(request, account)
  expect(booked.map(({ starts_at, status }) => [Date.parse(starts_at), status])).toEqual(
    [first, second].map((time) => [Date.parse(time), 'confirmed']),
  )
})

test('a second tab on the same time shows that it is held, released and booked in the first', async ({
  page,
  request,
  openContext,
}, info) => {
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  await saveCard(request, account)
  const [time = '', other = ''] = [offer.times[0], offer.times.at(-1)]
  await signIn(page, account)
  await page.goto(bookPath(offer, time))
  await expect(page.getByRole('button', { name: 'Continue to payment' })).toBeVisible()

  const first = await (await openContext()).newPage()
  await signIn(first, account)
  await first.goto(bookPath(offer, time))
  await first.getByRole('button', { name: 'Continue to payment' }).click()
  await expectHeld(first)
  await page.reload()
  await expectHeld(page)
  // Also once the practitioner no longer offers it.
  const profile = `**/practitioner/${offer.id}/profile`
  await page.route(profile, async (route) => {
    const response = await route.fetch()
    const json = (await response.json()) as { services: object }
    await route.fulfill({ response, json: { ...json, services: { ...json.services, online: [] } } })
  })
  const read = page.waitForResponse(profile)
  await page.reload()
  await read
  await expectHeld(page)
  await page.unroute(profile)

  await first.goto(bookPath(offer, other))
  await first.getByRole('button', { name: 'Continue to payment' }).click()
  await expectHeld(first)
  await page.reload()
  await expect(
    page.getByRole('main').getByText('It was not paid in time, or you chose another time instead.'),
  ).toBeVisible()
  await page.goto(bookPath(offer, other))
  await expectHeld(page)

  await first.getByRole('button', { name: `Pay ${pounds(offer.service.fee)}` }).click()
  await expect(first.getByText('Your session is booked')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('main')).toContainText('You have booked this session')

  // Moved, it leaves its time to be booked anew.
  const [booked] = await upcoming(request, account)
  await callAs(request, account, 'POST', '/appointment/edit-session', {
    appointment_id: booked?.appointment_id,
    type: 'online',
    appointment_datetime: time,
  })
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Session cost' })).toBeVisible()
  await expect(page.getByRole('main')).not.toContainText('You have booked this session')
  await expect(page.getByRole('main')).not.toContainText('It was not paid in time')
  await page.reload()
  await expect(page.getByRole('button', { name: 'Continue to payment' })).toBeVisible()
})

test('a client who holds another time at this hour can release it where they are refused', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(/status of 409.*create-session/)
  const [offer, other] = [await ownPractitioner(request, info), await ownPractitioner(request, info)]
  const account = await register(request)
  await saveCard(request, account)
  const time = offer.times.find((each) => other.times.includes(each)) ?? ''
  await holdByApi(request, account, other, time)
  await signIn(page, account)
  await page.goto(bookPath(offer, time))
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  const alert = page.getByRole('main').getByRole('alert')
  await expect(alert).toContainText('You have another session at this time')
  const pressed = Promise.withResolvers<void>()
  await page.route('**/appointment/cancel-session', async (route) => {
    await pressed.promise
    await route.continue()
  })
  await alert.getByRole('button', { name: `Release the time with ${other.name}` }).click()
  // Before the other time is released.
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await expect(page.getByRole('button', { name: 'Holding the time for you' })).toBeVisible()
  pressed.resolve()
  await expectHeld(page)
  await expect(page.getByRole('heading', { name: 'Pay for your session' })).toBeFocused()
})

test('a client who goes back to another booking while a time is released stays there', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(/status of 409.*create-session/)
  const [offer, other] = [await ownPractitioner(request, info), await ownPractitioner(request, info)]
  const account = await register(request)
  await saveCard(request, account)
  const time = offer.times.find((each) => other.times.includes(each)) ?? ''
  await holdByApi(request, account, other, time)
  await signIn(page, account)
  await page.goto(bookPath(offer, time))
  const goOn = page.getByRole('button', { name: 'Continue to payment' })
  await goOn.click()
  await page.getByRole('main').getByRole('alert').getByRole('link', { name: other.name }).click()
  await expectHeld(page)
  const answers = await holdAnswers(page, '**/appointment/cancel-session')
  await page.getByRole('button', { name: 'Release this time' }).click()
  await answers.isAsked
  await page.goBack()
  await expect(goOn).toBeVisible()
  const released = page.waitForResponse('**/appointment/cancel-session')
  answers.release()
  await released
  await goOn.click()
  await expectHeld(page)
  await expect(page).toHaveURL(bookPath(offer, time))
})

test('a client who leaves while a time is being held stays where they went, and finds it held', async ({
  page,
  request,
}, info) => {
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  await signIn(page, account)
  const left = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  await page.route('**/appointment/create-session', async (route) => {
    const response = await route.fetch()
    await left.promise
    await route.fulfill({ response })
    answered.resolve()
  })
  await page.goto(bookPath(offer, offer.times[0] ?? ''))
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await page.getByRole('banner').getByRole('link', { name: 'Hearth' }).click()
  await expect(page).toHaveURL('/')
  const read = page.waitForResponse(/\/api\/v7\/appointment\/[\da-f-]{36}$/)
  left.resolve()
  await answered.promise
  await read
  // No card is saved: a client who has stayed is led to where one is added.
  await page.getByRole('button', { name: /account$/ }).click()
  await page.getByRole('menuitem', { name: 'My Sessions' }).click()
  await expect(page).toHaveURL('/my-sessions')
  await expect(page.getByRole('region', { name: 'Held for you' })).toContainText(offer.name)
  await page.goBack()
  await expect(page).toHaveURL('/')
})
