import {
  bookByApi,
  chooseTime,
  dayLabel,
  freeTimes,
  ownPractitioner,
  pick,
  pounds,
  timeWords,
  upcoming,
} from './booking.ts'
import { expect, test } from './fixtures.ts'
import { holdAnswers } from './lost-answers.ts'
import { callAs, register, saveCard, signIn } from './people.ts'

test('a dearer session is paid for first, a declined card changes nothing, and a cheaper one face to face gives money back', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(/status of 402.*edit-session/)
  const offer = await ownPractitioner(request, info, {
    fits: ({ online: [first, ...others], face_to_face }) =>
      others.some(({ fee }) => first && fee > first.fee && face_to_face.some((there) => there.fee < fee)),
  })
  const { service, services } = offer
  const dearer = services.online.find(
    ({ fee }) => fee > service.fee && services.face_to_face.some((there) => there.fee < fee),
  )
  const there = services.face_to_face.find(({ fee }) => dearer && fee < dearer.fee)
  if (!dearer || !there) throw new Error('What the practitioner was chosen for is gone.')
  const [first = ''] = offer.times
  const account = await register(request)
  await bookByApi(request, account, offer, first)
  await saveCard(request, account, '4000000000000002')
  await signIn(page, account)
  await page.goto('/my-sessions')
  const session = page.getByRole('main').getByRole('listitem', { name: offer.name })
  const dialog = page.getByRole('dialog', { name: 'Book an appointment' })
  const change = dialog.getByRole('region', { name: 'Your change' })
  const bookSession = dialog.getByRole('button', { name: 'Book session' })
  const done = dialog.getByRole('heading', { name: 'Your booking is changed!' })

  await test.step('to a dearer service', async () => {
    await session.getByRole('button', { name: 'Move' }).click()
    await expect(dialog.getByText('Instant booking available')).toBeVisible()
    await dialog.getByLabel('Service').selectOption(String(dearer.service_id))
    await chooseTime(dialog, (await freeTimes(request, offer.id, dearer.service_id)).at(-1) ?? '')
    await expect(change).toContainText('You pay the difference')
    await expect(change).toContainText(pounds(dearer.fee - service.fee))

    await dialog.getByRole('radio', { name: /0002/ }).check()
    await bookSession.click()
    await expect(dialog.getByRole('alert')).toContainText('This card did not work')
    const [untouched] = await upcoming(request, account)
    expect(untouched).toMatchObject({ status: 'confirmed', fee: service.fee })
    expect(new Date(untouched?.starts_at ?? 0)).toEqual(new Date(first))

    await dialog.getByRole('radio', { name: /4242/ }).check()
    await bookSession.click()
    await expect(done).toBeVisible()
    await expect(dialog).toContainText(`You paid ${pounds(dearer.fee - service.fee)} more.`)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await expect(session).toContainText(dearer.service_name)
    expect(await upcoming(request, account)).toMatchObject([{ status: 'confirmed', fee: dearer.fee }])
  })

  await test.step('to a cheaper one face to face', async () => {
    const profile = await request.get(`/api/v7/practitioner/${offer.id}/profile`)
    const { addresses } = (await profile.json()) as { addresses: { location_name: string }[] }
    const place = addresses[0]?.location_name ?? ''
    expect(place).not.toBe('')
    await session.getByRole('button', { name: 'Move' }).click()
    await pick(dialog.getByRole('radio', { name: 'Face-to-face' }))
    await dialog.getByLabel('Service').selectOption(String(there.service_id))
    const [time = ''] = await freeTimes(request, offer.id, there.service_id, 'face_to_face')
    await chooseTime(dialog, time)
    await expect(change).toContainText('Face-to-face')
    await expect(change).toContainText(place)
    await expect(change).toContainText('You get back')
    // Carried out, the change would be seen in the list of sessions.
    const [pressed, mayChange] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route('**/edit-session', async (route) => {
      pressed.resolve()
      await mayChange.promise
      await route.continue()
    })
    await bookSession.click()
    await pressed.promise
    await dialog.getByRole('radio', { name: 'Online' }).press('Space')
    await expect(dialog.getByRole('radio', { name: 'Face-to-face' })).toBeChecked()
    mayChange.resolve()
    await expect(done).toBeVisible()
    await expect(dialog).toContainText(`${pounds(dearer.fee - there.fee)} is on its way back`)
    await expect(dialog).toContainText(place)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await expect(session).toContainText('Face-to-face')
    await expect(session.getByRole('link', { name: /room of the session/ })).toHaveCount(0)
    expect(await upcoming(request, account)).toMatchObject([
      { status: 'confirmed', fee: there.fee, appointment_type: 'face_to_face' },
    ])
  })

  await test.step('and is cancelled on its own page', async () => {
    await session.getByRole('link', { name: offer.name, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Your session with ${offer.name}`)
    await expect(page).toHaveURL(/\/session\?appointment=/)
    const main = page.getByRole('main')
    await expect(main.getByText('Your session is booked.')).toBeVisible()
    await expect(main.getByText(/^Moved from /)).toBeVisible()
    await expect(main.getByText(`If you cancel by then, you get ${pounds(there.fee)} back.`)).toBeVisible()
    await expect(main.getByRole('heading', { name: 'How to get ready' })).toBeVisible()
    await expect(main.getByRole('button', { name: 'Move to another time' })).toBeVisible()
    await main.getByRole('button', { name: 'Cancel session' }).click()
    const question = page.getByRole('alertdialog')
    const answers = await holdAnswers(page, '**/cancel-session')
    await question.getByRole('button', { name: 'Cancel session' }).click()
    await answers.isAsked
    await expect(question.getByLabel('Reason')).not.toBeEditable()
    answers.release()
    await expect(main.locator(':focus')).toContainText('Your session is cancelled')
    await expect(main.getByText('You cancelled this session.')).toBeVisible()
    await expect(main.getByRole('button', { name: 'Cancel session' })).toHaveCount(0)
    expect(await upcoming(request, account)).toEqual([])
  })
})

test('a change to a format without free times is refused until a time is chosen, and another service keeps the chosen time', async ({
  page,
  request,
}, info) => {
  const offer = await ownPractitioner(request, info, {
    fits: ({ online, face_to_face }) => online.length > 1 && face_to_face.length > 0,
  })
  const other = offer.services.online.find(({ service_id }) => service_id !== offer.service.id)
  if (!other) throw new Error('What the practitioner was chosen for is gone.')
  const free = await freeTimes(request, offer.id, other.service_id)
  const [booked = '', ...rest] = offer.times
  const [chosen = ''] = rest.filter(
    (time) => free.includes(time) && time.slice(0, 10) !== booked.slice(0, 10),
  )
  const account = await register(request)
  await bookByApi(request, account, offer, booked)
  await signIn(page, account)
  // The session's hour is given online alone.
  await page.route('**/appointment/preview?*appointment_type=face_to_face*', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...((await response.json()) as object), free: false } })
  })
  await page.goto('/my-sessions')
  await page.getByRole('button', { name: 'Move' }).click()
  const dialog = page.getByRole('dialog', { name: 'Book an appointment' })
  const change = dialog.getByRole('region', { name: 'Your change' })
  const bookSession = dialog.getByRole('button', { name: 'Book session' })

  await pick(dialog.getByRole('radio', { name: 'Face-to-face' }))
  await expect(change).toContainText('Choose a time')
  await expect(change).not.toContainText('The price stays the same.')
  await bookSession.click()
  await expect(dialog.getByRole('alert')).toContainText('Choose a time first')
  expect(await upcoming(request, account)).toMatchObject([{ appointment_type: 'online' }])

  await pick(dialog.getByRole('radio', { name: 'Online' }))
  await chooseTime(dialog, chosen)
  await dialog.getByLabel('Service').selectOption(String(other.service_id))
  await expect(change).toContainText(`${dayLabel(chosen)}, ${timeWords(chosen)}`)
  await expect(change).toContainText(other.service_name)
  await pick(dialog.getByRole('radio', { name: 'Face-to-face' }))
  await expect(change).toContainText(`${dayLabel(chosen)}, ${timeWords(chosen)} is not free for this choice.`)
})

test('a face-to-face session shows where it is and where it would be, and keeps to that place with another service', async ({
  page,
  request,
}, info) => {
  const offer = await ownPractitioner(request, info, { fits: ({ face_to_face }) => face_to_face.length > 1 })
  const [service, other] = offer.services.face_to_face
  if (!service || !other) throw new Error('What the practitioner was chosen for is gone.')
  const [booked = '', chosen = ''] = await freeTimes(request, offer.id, service.service_id, 'face_to_face')
  const account = await register(request)
  const { session_id: appointment_id } = await bookByApi(request, account, offer, offer.times.at(-1) ?? '')
  const { customer_id } = await saveCard(request, account)
  const body = { appointment_id, type: 'face_to_face', service_id: service.service_id, customer_id }
  await callAs(request, account, 'POST', '/appointment/edit-session', {
    ...body,
    appointment_datetime: booked,
  })
  // Every hour is now at a place that the practitioner has added.
  const elsewhere = 2_000_000_000
  await page.route('**/practitioner/*/profile*', async (route) => {
    const response = await route.fetch()
    const profile = (await response.json()) as { addresses: object[] }
    const added = { ...profile.addresses[0], location_id: elsewhere, location_name: 'The Elm Rooms' }
    await route.fulfill({ response, json: { ...profile, addresses: [...profile.addresses, added] } })
  })
  await page.route('**/next-available-sessions*', async (route) => {
    const response = await route.fetch()
    const found = (await response.json()) as { slots: object[] }
    const slots = found.slots.map((slot) => ({ ...slot, location_id: elsewhere }))
    await route.fulfill({ response, json: { ...found, slots } })
  })
  const [session] = await callAs<{ location: { location_name: string; address: string } }[]>(
    request,
    account,
    'GET',
    '/appointment/get-upcoming-sessions',
  )
  await signIn(page, account)
  await page.goto('/my-sessions')
  await page.getByRole('button', { name: 'Move' }).click()
  const dialog = page.getByRole('dialog', { name: 'Book an appointment' })
  const change = dialog.getByRole('region', { name: 'Your change' })
  await expect(change).toContainText(`${session?.location.location_name}, ${session?.location.address}`)
  await chooseTime(dialog, chosen)
  await expect(change).toContainText('The Elm Rooms')
  // The server knows of no hour there.
  await dialog.getByLabel('Service').selectOption(String(other.service_id))
  await expect(change).toContainText(`${timeWords(chosen)} is not free for this choice.`)
})

test('moving a session begins in its own week, on its own day', async ({ page, request }, info) => {
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  // In a week that is not the present one, on a day with another free time.
  const booked =
    offer.times.findLast((time, at) => offer.times.at(at - 1)?.slice(0, 10) === time.slice(0, 10)) ?? ''
  await bookByApi(request, account, offer, booked)
  await signIn(page, account)
  await page.goto('/my-sessions')
  // The times of the session itself are as long as it is; those of another choice as its service.
  const timesRead = page.waitForRequest('**/next-available-sessions*')
  await page.getByRole('button', { name: 'Move' }).click()
  const length = new URL((await timesRead).url()).searchParams.get('duration_minutes')
  expect(length).toBe(
    String(offer.services.online.find((each) => each.service_id === offer.service.id)?.duration),
  )
  const dialog = page.getByRole('dialog', { name: 'Book an appointment' })
  const days = dialog.getByRole('group', { name: 'Day', exact: true })
  await expect(days.getByRole('radio', { name: new RegExp(`^${dayLabel(booked)}\\b`) })).toBeChecked()
  await expect(dialog.getByRole('group', { name: `Free times on ${dayLabel(booked)}` })).toBeVisible()
  await dialog.getByRole('button', { name: 'Previous week' }).click()
  await expect(days.getByRole('radio', { name: new RegExp(`^${dayLabel(booked)}\\b`) })).toHaveCount(0)
})
