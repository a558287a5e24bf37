import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  bookSession,
  type Client,
  createClient,
  createPractitioner,
  type Practitioner,
  signInAgain,
  signInPractitioner,
} from '#test/factories.ts'
import { entryIn, sessionMails } from '#test/mails.ts'

const startsAt = '2026-06-08T09:00:00.000Z'

let app: TestApp
let client: Client
let practitioner: Practitioner
let therapist: string
beforeEach(async () => {
  app = await buildTestApp()
  client = await createClient(app)
  practitioner = await createPractitioner(app, { room: 'hearth' })
  therapist = await signInPractitioner(app, practitioner)
  await app.db.updateTable('accounts').set({ email_verified_at: app.clock.now() }).execute()
})
afterEach(async () => app.close())

/** Moves the clock, and signs both in again, as access tokens do not last that long. */
async function goTo(instant: string): Promise<void> {
  app.clock.set(instant)
  client = await signInAgain(app, client)
  therapist = await signInPractitioner(app, practitioner)
}

const book = (type: 'online' | 'face_to_face' = 'online') =>
  bookSession(app, { practitioner, client, startsAt, type })
/** The session in each answer that shows it. */
const answers = async (id: string) => [
  (await app.call('GET', `/appointment/${id}`, { token: client.token })).body,
  (await app.call('GET', '/appointment/get-upcoming-sessions', { token: client.token })).body[0],
  (await app.call('GET', `/sessions/${id}`, { token: client.token })).body,
  (await app.call('GET', `/sessions/${id}`, { token: therapist })).body,
  (await app.call('GET', '/therapist/sessions', { token: therapist })).body.data?.[0],
]
const pathOf = (id: string) => `/session-room?appointment=${id}`
const joinOf = (id: string, page: string) =>
  `http://hearth.test${page}?return_to=${encodeURIComponent(pathOf(id))}`

test('a session in the room on Hearth shows its room to both people, and no link elsewhere', async () => {
  const id = await book()
  for (const session of await answers(id)) {
    expect(session).toMatchObject({ meeting_link: null, room: { kind: 'hearth', link: pathOf(id) } })
  }
})

test('a room that was ended for both says when, until the session is moved to another time', async () => {
  await goTo('2026-06-07T12:00:00.000Z')
  const id = await book()
  const path = `/therapist/sessions/${id}/room`
  await goTo('2026-06-08T08:50:00.000Z')
  await app.call('POST', `${path}/admit`, { token: therapist })
  for (const session of await answers(id)) expect(session).toMatchObject({ room: { ended_at: null } })
  await app.call('POST', `${path}/end`, { token: therapist })
  for (const session of await answers(id)) {
    expect(session).toMatchObject({ status: 'confirmed', room: { ended_at: '2026-06-08T08:50:00.000Z' } })
  }
  const moved = await app.call('POST', '/appointment/edit-session', {
    token: client.token,
    body: { appointment_id: id, type: 'online', appointment_datetime: '2026-06-08T11:00:00.000Z' },
  })
  expect(moved.status).toBe(200)
  for (const session of await answers(id)) expect(session).toMatchObject({ room: { ended_at: null } })
})

test('a link that is stored beside the room on Hearth is shown to no client', async () => {
  const id = await book()
  await app.db
    .updateTable('practitioners')
    .set({ meeting_link: 'https://rooms.example.test/kept', room: 'hearth' })
    .where('id', '=', practitioner.id)
    .execute()
  expect(JSON.stringify(await answers(id))).not.toContain('rooms.example.test')
})

test('a session in an own room shows the link, and none where the practitioner has given none', async () => {
  practitioner = await createPractitioner(app)
  therapist = await signInPractitioner(app, practitioner)
  const id = await book()
  const link = 'https://rooms.example.test/priya'
  for (const session of await answers(id)) {
    expect(session).toMatchObject({ meeting_link: link, room: { kind: 'own', link } })
  }
  await app.db
    .updateTable('practitioners')
    .set({ meeting_link: null })
    .where('id', '=', practitioner.id)
    .execute()
  for (const session of await answers(id)) {
    expect(session).toMatchObject({ meeting_link: null, room: { kind: 'own', link: null } })
  }
})

test('a session in person and a cancelled one have no room', async () => {
  for (const session of await answers(await book('face_to_face')))
    expect(session).toMatchObject({ room: null })
  client = await createClient(app)
  practitioner = await createPractitioner(app, { room: 'hearth' })
  therapist = await signInPractitioner(app, practitioner)
  const id = await book()
  await app.call('POST', `/therapist/sessions/${id}/cancel`, { token: therapist, body: {} })
  for (const token of [client.token, therapist]) {
    expect((await app.call('GET', `/sessions/${id}`, { token })).body).toMatchObject({
      status: 'cancelled',
      room: null,
    })
  }
})

test('mails and calendar entries lead to the room on Hearth, each person through their own sign-in', async () => {
  const id = await book()
  await app.queue.drain()
  const mails = sessionMails(app.mails())
  const [toClient] = mails.filter(({ to }) => to === client.email)
  const [toPractitioner] = mails.filter(({ to }) => to === practitioner.email)
  expect(toClient?.text).toContain(`Join the session when it begins: ${joinOf(id, '/sign-in')}`)
  expect(toClient && entryIn(toClient)).toMatchObject({
    description: expect.stringContaining(`Join: ${joinOf(id, '/sign-in')}`),
  })
  expect(toPractitioner && entryIn(toPractitioner)).toMatchObject({
    description: expect.stringContaining(`Join: ${joinOf(id, '/therapist/sign-in')}`),
  })
})

test('calendar feeds lead to the room on Hearth', async () => {
  const id = await book()
  const feed = async (path: string, token: string) => {
    const { url } = (await app.call('POST', path, { token, body: {} })).body
    return (await fetch(String(url).replace('http://hearth.test', app.origin)))
      .text()
      .then((text) => text.replaceAll('\r\n ', ''))
  }
  expect(await feed('/client/calendar-feed', client.token)).toContain(`Join: ${joinOf(id, '/sign-in')}`)
  expect(await feed('/therapist/calendar-feed', therapist)).toContain(
    `Join: ${joinOf(id, '/therapist/sign-in')}`,
  )
})
