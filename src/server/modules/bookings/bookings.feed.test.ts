import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hours } from '#server/clock.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  bookSession,
  type Client,
  createClient,
  createPractitioner,
  type Practitioner,
  signInPractitioner,
} from '#test/factories.ts'

let app: TestApp
let practitioner: Practitioner
let client: Client
let token: string

beforeEach(async () => {
  app = await buildTestApp()
  practitioner = await createPractitioner(app)
  client = await createClient(app, { name: 'Robin Vale' })
  token = await signInPractitioner(app, practitioner)
})
afterEach(async () => app.close())

const connect = async (as = token) => {
  const answer = await app.call('POST', '/therapist/calendar-feed', { token: as, body: {} })
  expect(answer.status).toBe(201)
  return String(answer.body.url)
}
const state = async (as = token) => (await app.call('GET', '/therapist/calendar-feed', { token: as })).body
const read = async (url: string) => {
  const response = await fetch(url.replace('http://hearth.test', app.origin))
  // Long lines are folded (RFC 5545, 3.1).
  return {
    status: response.status,
    headers: response.headers,
    text: (await response.text()).replaceAll('\r\n ', ''),
  }
}
const valuesOf = (text: string, name: string) =>
  [...text.matchAll(new RegExp(`^${name}(?:;[^:\r\n]*)?:(.*)\r$`, 'gm'))].map(([, value]) => value)

describe('the link for a calendar app', () => {
  test('gives the sessions that are booked, moved and cancelled as they are, to whoever holds it', async () => {
    const online = await bookSession(app, { practitioner, client, startsAt: '2026-06-08T09:00:00Z' })
    await bookSession(app, { practitioner, client, startsAt: '2026-06-09T09:00:00Z', type: 'face_to_face' })
    await app.call('POST', '/appointment/create-session', {
      token: client.token,
      body: {
        practitioner_id: practitioner.id,
        booking_type: 'schedule',
        service_id: 1,
        appointment_type: 'online',
        datetime: '2026-06-10T09:00:00Z',
      },
    })
    const url = await connect()
    expect(url).toMatch(/^http:\/\/hearth\.test\/calendar\/[\w-]{43}\.ics$/)
    const first = await read(url)
    expect(first.status).toBe(200)
    expect(first.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    expect(first.headers.get('cache-control')).toBe('no-store')
    // A time that somebody is only paying for is not there.
    expect(valuesOf(first.text, 'DTSTART')).toEqual(['20260608T090000Z', '20260609T090000Z'])
    expect(valuesOf(first.text, 'DTEND')).toEqual(['20260608T095000Z', '20260609T095000Z'])
    expect(valuesOf(first.text, 'SUMMARY')).toEqual(['Session with Robin V.', 'Session with Robin V.'])
    expect(valuesOf(first.text, 'LOCATION')[1]).toContain('Rosewood House')
    expect(valuesOf(first.text, 'UID')[0]).toBe(`${online}-practitioner`)
    expect(valuesOf(first.text, 'CLASS')).toEqual(['PRIVATE', 'PRIVATE'])
    // No more of the client, and nothing of what it is about.
    for (const secret of ['Vale', client.email, client.id, 'meet', 'rooms.example.test'])
      expect(first.text).not.toContain(secret)

    await app.call('POST', '/appointment/cancel-session', {
      token: client.token,
      body: { appointment_id: online },
    })
    expect(valuesOf((await read(url)).text, 'DTSTART')).toEqual(['20260609T090000Z'])
  })

  test('ends when another one is made, and when it is disconnected', async () => {
    const first = await connect()
    const second = await connect()
    expect((await read(first)).status).toBe(404)
    expect((await read(second)).status).toBe(200)
    const answer = await app.call('DELETE', '/therapist/calendar-feed', { token })
    expect([answer.status, answer.body]).toEqual([200, 'success'])
    expect((await read(second)).status).toBe(404)
    expect(await state()).toEqual({ connected: false, created_at: null, read_at: null })
  })

  test('is stored as a digest, logged nowhere, and says when it was last read', async () => {
    const url = await connect()
    const secret = url.slice(-47, -4)
    const { token_hash } = await app.db
      .selectFrom('calendar_feeds')
      .select('token_hash')
      .executeTakeFirstOrThrow()
    expect(token_hash).toHaveLength(32)
    expect(Buffer.from(token_hash).toString('base64url')).not.toBe(secret)
    expect((await state()).read_at).toBeNull()
    await read(url)
    const at = app.clock.now().toISOString()
    expect(await state()).toEqual({ connected: true, created_at: at, read_at: at })
    app.clock.advance(hours(1))
    await read(url)
    token = await signInPractitioner(app, practitioner)
    expect((await state()).read_at).toBe(app.clock.now().toISOString())
    expect(app.logged()).toContain('/calendar/:file')
    expect(app.logged()).not.toContain(secret)
  })

  test('shows each practitioner their own sessions alone', async () => {
    await bookSession(app, { practitioner, client, startsAt: '2026-06-08T09:00:00Z' })
    const other = await signInPractitioner(app, await createPractitioner(app))
    const theirs = await read(await connect(other))
    expect(valuesOf(theirs.text, 'DTSTART')).toEqual([])
    expect(await state()).toMatchObject({ connected: false })
  })

  test.each(['', 'x.ics', `${'a'.repeat(43)}.ics`, 'a'.repeat(43), '..%2F..%2Fetc%2Fpasswd'])(
    'that is none is not found: %s',
    async (file) => {
      await connect()
      expect((await read(`${app.origin}/calendar/${file}`)).status).toBe(404)
    },
  )
})

test('calendars that ask too often are told to wait', async () => {
  await app.close()
  app = await buildTestApp({ rateLimitScale: 0.025 })
  const ask = () => fetch(`${app.origin}/calendar/${'a'.repeat(43)}.ics`)
  for (let time = 0; time < 3; time++) expect((await ask()).status).toBe(404)
  expect((await ask()).status).toBe(429)
})
