import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hours, later, minutes } from '#server/clock.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  bookSession,
  type Client,
  createAdmin,
  createClient,
  createPractitioner,
  type Practitioner,
  saveCard,
  signInAgain,
  signInPractitioner,
  signInToChat,
} from '#test/factories.ts'
import { connectChat } from '#test/chat-socket.ts'
import { answerRequest, askForHelp, switchOn } from '#test/help.ts'
import { agreeSeries } from '#test/series.ts'

let app: TestApp
let client: Client
let practitioner: Practitioner
let therapist: string
beforeEach(async () => {
  app = await buildTestApp()
  client = await createClient(app)
  practitioner = await createPractitioner(app)
  therapist = await signInPractitioner(app, practitioner)
})
afterEach(async () => app.close())

const read = (token: string, id: string) => app.call('GET', `/sessions/${id}`, { token })
const ofChat = (token: string, dialogId: string, timezone = 'Europe/London') =>
  app.call('GET', `/sessions/today?dialog_id=${dialogId}&timezone=${timezone}`, { token })

/** Asks for help right now, and lets the practitioner accept. Returns the session's id. */
async function helpAccepted(): Promise<string> {
  await switchOn(app, practitioner, later(app.clock.now(), hours(2)))
  const { id, requestId } = await askForHelp(app, { client, preferred: practitioner.id })
  // Until then there is no session to show to either.
  for (const token of [client.token, therapist]) expect((await read(token, id)).status).toBe(404)
  expect((await answerRequest(app, therapist, requestId, 'accept')).status).toBe(200)
  return id
}

/** Opens the chat of client and practitioner. Returns its id. */
async function openDialog(): Promise<string> {
  const chat = await signInToChat(app, client.token)
  const body = { practitioner_id: practitioner.id }
  return String((await app.call('POST', '/chat/dialogs', { token: chat.token, body })).body._id)
}

test('both people read an instant session from its acceptance on, and others do not', async () => {
  const id = await helpAccepted()
  const now = app.clock.now()
  const both = {
    appointment_id: id,
    booking_type: 'get-help-right-now',
    status: 'confirmed',
    issue: { issue_id: 1, issue_name: 'Anxiety' },
    appointment_type: 'online',
    starts_at: now.toISOString(),
    ends_at: later(now, minutes(15)).toISOString(),
    price: 25,
  }
  const mine = await read(client.token, id)
  const theirs = await read(therapist, id)
  expect(mine.body).toMatchObject({
    ...both,
    you: 'client',
    other: { practitioner_id: practitioner.id, timezone: 'Europe/London' },
  })
  expect(theirs.body).toMatchObject({
    ...both,
    you: 'practitioner',
    other: { name: expect.stringMatching(/^\S+ [A-Z]\.$/), practitioner_id: null, timezone: null },
  })
  expect(mine.body.meeting_link).toBe(theirs.body.meeting_link)
  expect(mine.body.dialog_id).toMatch(/^[\da-f-]{36}$/)
  expect(theirs.body.dialog_id).toBe(mine.body.dialog_id)

  const stranger = (await createClient(app)).token
  const otherTherapist = await signInPractitioner(app, await createPractitioner(app))
  for (const token of [stranger, otherTherapist]) {
    expect((await read(token, id)).status).toBe(404)
    expect((await ofChat(token, String(mine.body.dialog_id))).body).toEqual({ data: null, series: [] })
  }
  for (const token of [client.token, therapist]) {
    expect((await ofChat(token, String(mine.body.dialog_id))).body.data?.appointment_id).toBe(id)
  }
})

test('a session shows that its chat is closed while its practitioner is suspended, and not after a lapse', async () => {
  const id = await bookSession(app, { practitioner, client, startsAt: '2026-06-08T09:00:00.000Z' })
  const change = { frozen_at: app.clock.now(), frozen_until: later(app.clock.now(), hours(72)) }
  const freeze = (frozen_cause: 'suspended' | 'vetting_lapsed') =>
    app.db
      .updateTable('appointments')
      .set({ ...change, frozen_cause })
      .where('id', '=', id)
      .execute()
  await freeze('vetting_lapsed')
  expect((await read(client.token, id)).body).toMatchObject({
    frozen_until: expect.any(String),
    chat_closed: false,
  })
  await freeze('suspended')
  await app.db
    .updateTable('practitioners')
    .set({ state: 'suspended' })
    .where('id', '=', practitioner.id)
    .execute()
  expect((await read(client.token, id)).body).toMatchObject({ chat_closed: true })
})

test('a booked session shows its plain facts, and its chat only once there is one', async () => {
  const id = await bookSession(app, { practitioner, client, startsAt: '2026-06-08T09:00:00.000Z' })
  const before = await read(client.token, id)
  expect(before.body).toMatchObject({
    booking_type: 'schedule',
    issue: null,
    starts_at: '2026-06-08T09:00:00.000Z',
    dialog_id: null,
    chat_closed: false,
  })
  const dialogId = await openDialog()
  expect((await read(therapist, id)).body.dialog_id).toBe(dialogId)
  await app.call('POST', '/appointment/cancel-session', {
    token: client.token,
    body: { appointment_id: id },
  })
  expect((await read(therapist, id)).body).toMatchObject({
    status: 'cancelled',
    cancelled_by: 'client',
    meeting_link: null,
  })
})

test('each side reads its own money, terms and deeds, and not those of the other', async () => {
  const startsAt = '2026-06-08T09:00:00.000Z'
  const id = await bookSession(app, { practitioner, client, startsAt })
  const mine = (await read(client.token, id)).body
  expect(mine).toMatchObject({ as_practitioner: null, moved_from: null, coordinates: null })
  expect(mine.as_client).toMatchObject({
    fee: mine.price,
    change: { allowed: true },
    refund: null,
    review: null,
    reviewable: false,
  })
  const theirs = (await read(therapist, id)).body
  expect(theirs).toMatchObject({
    as_client: null,
    as_practitioner: { client: { name: expect.stringMatching(/^\S+ [A-Z]\.$/) }, can: { cancel: true } },
  })

  await app.call('POST', `/therapist/sessions/${id}/cancel`, {
    token: therapist,
    body: { reason: 'I am ill, and so sorry.' },
  })
  const after = (await read(client.token, id)).body
  expect(after.as_client).toMatchObject({
    status: 'cancelled',
    practitioners_reason: 'I am ill, and so sorry.',
    refund: { amount: mine.price },
  })
})

test.each([
  ['unpaid', 'unpaid'],
  ['technical_failure', 'technical_failure'],
  ['practitioner_suspended', null],
  ['vetting_lapsed', null],
] as const)('a session cancelled as %s gives both the reason %s', async (cancel_code, reason) => {
  const id = await bookSession(app, { practitioner, client, startsAt: '2026-06-08T09:00:00.000Z' })
  for (const token of [client.token, therapist]) {
    expect((await read(token, id)).body.cancelled_because).toBe(null)
  }
  await app.call('POST', `/therapist/sessions/${id}/cancel`, { token: therapist, body: {} })
  await app.db
    .updateTable('appointments')
    .set({ cancel_code, cancelled_by: 'system' })
    .where('id', '=', id)
    .execute()
  for (const token of [client.token, therapist]) {
    expect((await read(token, id)).body.cancelled_because).toBe(reason)
  }
})

test('a moved session names its start before, and only a change of time does', async () => {
  const startsAt = '2026-06-08T09:00:00.000Z'
  const later = '2026-06-08T12:00:00.000Z'
  const id = await bookSession(app, { practitioner, client, startsAt })
  const service_id = (await read(client.token, id)).body.as_client?.service_id
  const move = (to: string) =>
    app.call('POST', '/appointment/edit-session', {
      token: client.token,
      body: { appointment_id: id, type: 'online', appointment_datetime: to, service_id },
    })
  expect((await move(startsAt)).status).toBe(200)
  expect((await read(client.token, id)).body.moved_from).toBe(null)
  expect((await move(later)).status).toBe(200)
  for (const token of [client.token, therapist]) {
    expect((await read(token, id)).body).toMatchObject({ starts_at: later, moved_from: startsAt })
  }
})

test('a session names its sequence to both people, and a change increments it', async () => {
  const id = await bookSession(app, { practitioner, client, startsAt: '2026-06-08T09:00:00.000Z' })
  const sequences = async () => {
    const mine = (await read(client.token, id)).body
    expect(mine.as_client?.sequence).toBe(mine.sequence)
    return [mine, (await read(therapist, id)).body].map(({ sequence }) => Number(sequence))
  }
  const [before = Number.NaN, theirs] = await sequences()
  expect(theirs).toBe(before)
  expect(await sequences()).toEqual([before, before])
  await app.call('POST', `/therapist/sessions/${id}/cancel`, { token: therapist, body: {} })
  expect(await sequences()).toEqual([before + 1, before + 1])
})

test('a face-to-face session carries the point of its postcode for a map, to a client once it is booked', async () => {
  const id = await bookSession(app, {
    practitioner,
    client,
    type: 'face_to_face',
    startsAt: '2026-06-08T09:00:00.000Z',
  })
  const location_id = Number((await read(client.token, id)).body.as_client?.location_id)
  const point = { latitude: 53.8, longitude: -1.55 }
  const place = (point_source: 'postcode' | 'town') =>
    app.db
      .updateTable('locations')
      .set({ ...point, point_source })
      .where('id', '=', location_id)
      .execute()
  await place('postcode')
  for (const token of [client.token, therapist]) {
    expect((await read(token, id)).body.coordinates).toEqual(point)
  }
  await place('town')
  expect((await read(client.token, id)).body.coordinates).toBe(null)
  await place('postcode')
  await app.call('POST', '/appointment/cancel-session', {
    token: client.token,
    body: { appointment_id: id },
  })
  expect((await read(client.token, id)).body.coordinates).toBe(null)
  expect((await read(therapist, id)).body.coordinates).toEqual(point)
})

test('a chat shows the session of the reader’s own day: the one that runs, then the next, then the last', async () => {
  const card = await saveCard(app, client)
  const book = (startsAt: string) => bookSession(app, { practitioner, client, card, startsAt })
  const morning = await book('2026-06-08T09:00:00.000Z')
  const noon = await book('2026-06-08T12:00:00.000Z')
  const dialogId = await openDialog()
  const shownAt = async (now: string, timezone?: string) => {
    app.clock.set(now)
    const token = await signInPractitioner(app, practitioner)
    return (await ofChat(token, dialogId, timezone)).body.data?.appointment_id
  }
  expect(await shownAt('2026-06-07T20:00:00Z')).toBe(undefined)
  // In Auckland it is the next day already.
  expect(await shownAt('2026-06-07T20:00:00Z', 'Pacific/Auckland')).toBe(morning)
  expect(await shownAt('2026-06-08T07:00:00Z')).toBe(morning)
  expect(await shownAt('2026-06-08T09:30:00Z')).toBe(morning)
  // Thirteen hours ahead, the one at noon is tomorrow's. PostgreSQL reads the name the other way round.
  expect(await shownAt('2026-06-08T10:30:00Z', '%2B13:00')).toBe(morning)
  expect(await shownAt('2026-06-08T11:00:00Z')).toBe(noon)
  expect(await shownAt('2026-06-08T18:00:00Z')).toBe(noon)
  expect(await shownAt('2026-06-09T07:00:00Z')).toBe(undefined)
})

test('a session names its series, and so does the chat on other days until the series ends', async () => {
  const card = await saveCard(app, client)
  const first = await bookSession(app, { practitioner, client, card, startsAt: '2026-06-08T09:00:00.000Z' })
  const series = await agreeSeries(app, { client, card, session: first })
  const dialogId = await openDialog()
  const known = { series_id: series.series_id, state: 'active', rhythm: series.rhythm }
  const [date] = series.dates
  for (const token of [client.token, therapist]) {
    expect((await read(token, String(date?.appointment_id))).body.series).toEqual(known)
    expect((await read(token, first)).body.series).toBe(null)
    expect((await ofChat(token, dialogId)).body).toEqual({ data: null, series: [known] })
  }
  const { token: admin } = await createAdmin(app)
  const ahead = await app.call('GET', `/admin/practitioners/${practitioner.id}/ahead`, { token: admin })
  expect((ahead.body.sessions as unknown as unknown[]).slice(0, 2)).toMatchObject([
    { appointment_id: first, paid: 60, unpaid: 0, series: null },
    { appointment_id: date?.appointment_id, paid: 0, unpaid: 60, series: known },
  ])
  const paid = await app.call('GET', '/admin/payments', { token: admin })
  expect(paid.body.data).toMatchObject([{ session_id: first, series: null }])
  const stranger = (await createClient(app)).token
  expect((await ofChat(stranger, dialogId)).body).toEqual({ data: null, series: [] })
  await app.call('POST', `/series/${series.series_id}/end`, { token: client.token, body: {} })
  expect((await ofChat(client.token, dialogId)).body.series).toEqual([])
})

describe('a live event to both people, and no other,', () => {
  const startsAt = '2026-06-08T09:00:00.000Z'
  const post = (token: string, path: string, body: object = {}) => app.call('POST', path, { token, body })
  const socketOf = async (token: string) => connectChat(app.origin, (await signInToChat(app, token)).token)

  test('is sent when a series changes', async () => {
    const card = await saveCard(app, client)
    const session = await bookSession(app, { practitioner, client, card, startsAt })
    const series = await agreeSeries(app, { client, card, session })
    const sockets = await Promise.all([
      socketOf(client.token),
      socketOf(therapist),
      socketOf((await createClient(app)).token),
    ])
    const [ofClient, ofTherapist, stranger] = sockets
    const path = `/series/${series.series_id}/dates/2026-06-15/skip`
    expect((await post(client.token, path)).status).toBe(200)
    const change = { type: 'series.changed', series_id: series.series_id }
    await expect
      .poll(() => [ofClient, ofTherapist].map(({ received }) => received.notice))
      .toEqual([expect.arrayContaining([change]), expect.arrayContaining([change])])
    expect(stranger.received.notice).toEqual([])
    for (const each of sockets) each.close()
  })

  test.each<[what: string, now: string | undefined, act: (id: string) => Promise<{ status: number }>]>([
    [
      'is sent when a session is moved',
      undefined,
      async (id) => {
        const { service_id } = (await read(client.token, id)).body.as_client ?? {}
        return post(client.token, '/appointment/edit-session', {
          appointment_id: id,
          type: 'online',
          appointment_datetime: '2026-06-08T12:00:00.000Z',
          service_id,
        })
      },
    ],
    [
      'is sent when its client cancels it',
      undefined,
      (id) => post(client.token, '/appointment/cancel-session', { appointment_id: id }),
    ],
    [
      'is sent when its practitioner cancels it',
      undefined,
      (id) => post(therapist, `/therapist/sessions/${id}/cancel`),
    ],
    [
      'is sent when it is completed',
      '2026-06-08T10:00:00Z',
      (id) => post(therapist, `/therapist/sessions/${id}/complete`),
    ],
    [
      'is sent when its client is recorded as absent',
      '2026-06-08T10:00:00Z',
      (id) => post(therapist, `/therapist/sessions/${id}/no-show`),
    ],
  ])('%s', async (_what, now, act) => {
    const id = await bookSession(app, { practitioner, client, startsAt })
    if (now) {
      app.clock.set(now)
      client = await signInAgain(app, client)
      therapist = await signInPractitioner(app, practitioner)
    }
    const [ofClient, ofTherapist, stranger] = await Promise.all([
      socketOf(client.token),
      socketOf(therapist),
      socketOf((await createClient(app)).token),
    ])
    expect((await act(id)).status).toBeLessThan(300)
    const change = { type: 'session.changed', appointment_id: id }
    await expect
      .poll(() => [ofClient, ofTherapist].map(({ received }) => received.notice))
      .toEqual([[change], [change]])
    expect(stranger.received.notice).toEqual([])
    for (const each of [ofClient, ofTherapist, stranger]) each.close()
  })
})
