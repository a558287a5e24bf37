import ICAL from 'ical.js'
import nodeIcal from 'node-ical'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hours } from '#server/clock.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { clusterDatabase, untilOneWaits } from '#test/cluster-database.ts'
import {
  bookSession,
  type Client,
  createClient,
  createPractitioner,
  password,
  type Practitioner,
  signInAgain,
  signInPractitioner,
} from '#test/factories.ts'
import { linkIn, tokenOf } from '#test/mails.ts'

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
const signInWith = (email: string, phrase: string) =>
  app.call('POST', '/client/login', { body: { email, password: phrase } })
const valuesOf = (text: string, name: string) =>
  [...text.matchAll(new RegExp(`^${name}(?:;[^:\r\n]*)?:(.*)\r$`, 'gm'))].map(([, value]) => value)

describe('a session as a calendar file', () => {
  const file = (id: string, as?: string) =>
    fetch(`${app.origin}/api/v7/appointment/${id}/calendar-file`, {
      headers: as ? { authorization: `Bearer ${as}` } : {},
    })

  test('has when and where, the link to the room, and the id of the entry in the mails', async () => {
    const id = await bookSession(app, { practitioner, client, startsAt: '2026-06-08T09:00:00Z' })
    const answer = await file(id, client.token)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="session.ics"')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const calendar = new ICAL.Component(ICAL.parse(await answer.text()) as never)
    const event = new ICAL.Event(calendar.getFirstSubcomponent('vevent') ?? undefined)
    const room = (await app.call('GET', `/appointment/${id}`, { token: client.token })).body.meeting_link
    expect(room).toMatch(/^https:/)
    expect(event.uid).toBe(id)
    expect(event.startDate.toJSDate().toISOString()).toBe('2026-06-08T09:00:00.000Z')
    expect(event.location).toBe('Online')
    expect(event.description).toContain(`Join: ${room}`)
    expect(calendar.getFirstPropertyValue('method')).toBe('PUBLISH')
  })

  test('names the client to the practitioner by first name and initial, as the entry in the mails does', async () => {
    const id = await bookSession(app, { practitioner, client, startsAt: '2026-06-08T09:00:00Z' })
    const answer = await file(id, token)
    expect(answer.status).toBe(200)
    const text = (await answer.text()).replaceAll('\r\n ', '')
    expect(valuesOf(text, 'UID')).toEqual([`${id}-practitioner`])
    expect(valuesOf(text, 'SUMMARY')).toEqual(['Session with Robin V.'])
    expect(valuesOf(text, 'URL')[0]).toContain(
      `/therapist/sign-in?return_to=${encodeURIComponent(`/session?appointment=${id}`)}`,
    )
    for (const secret of ['Vale', client.email, client.id]) expect(text).not.toContain(secret)
  })

  test('is given to the two of the session alone, and only while it is booked', async () => {
    const id = await bookSession(app, { practitioner, client, startsAt: '2026-06-08T09:00:00Z' })
    const stranger = await createClient(app)
    const other = await signInPractitioner(app, await createPractitioner(app))
    expect((await file(id)).status).toBe(401)
    expect((await file(id, stranger.token)).status).toBe(404)
    expect((await file(id, other)).status).toBe(404)
    const cancelled = await app.call('POST', '/appointment/cancel-session', {
      token: client.token,
      body: { appointment_id: id },
    })
    expect(cancelled.status).toBe(200)
    const gone = await file(id, client.token)
    expect(gone.status).toBe(404)
    expect(await gone.text()).not.toContain('rooms')
  })
})

describe('the link for a calendar app', () => {
  test('serves the current times of booked, moved and cancelled sessions without a sign-in', async () => {
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
    // The feed leaves out a hold that is not paid yet.
    expect(valuesOf(first.text, 'DTSTART')).toEqual(['20260608T090000Z', '20260609T090000Z'])
    expect(valuesOf(first.text, 'DTEND')).toEqual(['20260608T095000Z', '20260609T095000Z'])
    expect(valuesOf(first.text, 'SUMMARY')).toEqual(['Session with Robin V.', 'Session with Robin V.'])
    expect(valuesOf(first.text, 'LOCATION')[1]).toContain('Rosewood House')
    expect(valuesOf(first.text, 'UID')[0]).toBe(`${online}-practitioner`)
    expect(valuesOf(first.text, 'CLASS')).toEqual(['PRIVATE', 'PRIVATE'])
    // The feed shows neither the client's surname nor the topic of the session.
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

  test('is stored as a digest, is never logged, and shows when it was last read', async () => {
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

type Entry = { uid: string; sequence: number; start: string; end: string; summary: string; location: string }

/** A calendar as two parsers by different hands read it; they have to agree. */
function parsed(text: string): Entry[] {
  const calendar = new ICAL.Component(ICAL.parse(text) as never)
  const one = calendar.getAllSubcomponents('vevent').map((component): Entry => {
    const event = new ICAL.Event(component)
    return {
      uid: event.uid,
      sequence: event.sequence,
      start: event.startDate.toJSDate().toISOString(),
      end: event.endDate.toJSDate().toISOString(),
      summary: event.summary,
      location: event.location,
    }
  })
  const other = Object.values(nodeIcal.sync.parseICS(text)).flatMap((event): Entry[] =>
    event?.type === 'VEVENT'
      ? [
          {
            uid: event.uid,
            sequence: Number(event.sequence),
            start: event.start.toISOString(),
            end: event.end?.toISOString() ?? '',
            summary: String(event.summary),
            location: String(event.location),
          },
        ]
      : [],
  )
  expect(other).toEqual(one)
  return one
}
const raw = async (url: string) => (await fetch(url.replace('http://hearth.test', app.origin))).text()
const inLondon = (instant: string) =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Europe/London',
    dateStyle: 'short',
    timeStyle: 'short',
  }).format(new Date(instant))

describe('a client', () => {
  const own = (method: string, as = client) =>
    app.call(method, '/client/calendar-feed', { token: as.token, ...(method === 'POST' ? { body: {} } : {}) })
  const link = async (as = client) => String((await own('POST', as)).body.url)
  const move = (id: string, to: string) =>
    app.call('POST', '/appointment/edit-session', {
      token: client.token,
      body: { appointment_id: id, type: 'online', appointment_datetime: to },
    })

  test('has a link of their own, with their sessions as they are, and no more of them', async () => {
    const id = await bookSession(app, { practitioner, client, startsAt: '2026-06-08T09:00:00Z' })
    const gone = await bookSession(app, { practitioner, client, startsAt: '2026-06-09T09:00:00Z' })
    const other = await createClient(app)
    await bookSession(app, { practitioner, client: other, startsAt: '2026-06-10T09:00:00Z' })
    const url = await link()
    const theirs = await link(other)
    expect(parsed(await raw(theirs))).toMatchObject([{ start: '2026-06-10T09:00:00.000Z' }])
    const [first, ...rest] = parsed(await raw(url))
    expect(first).toMatchObject({
      uid: id,
      start: '2026-06-08T09:00:00.000Z',
      end: '2026-06-08T09:50:00.000Z',
      location: 'Online',
    })
    expect(first?.summary).toMatch(/^Session with \p{L}+ \p{L}+/u)
    expect(rest).toHaveLength(1)
    const text = (await raw(url)).replaceAll('\r\n ', '')
    for (const secret of [client.email, client.id, 'Robin', 'meet', 'rooms.example.test'])
      expect(text).not.toContain(secret)

    expect((await move(id, '2026-06-11T12:00:00Z')).status).toBe(200)
    await app.call('POST', '/appointment/cancel-session', {
      token: client.token,
      body: { appointment_id: gone },
    })
    const after = parsed(await raw(url))
    expect(after).toMatchObject([{ uid: id, start: '2026-06-11T12:00:00.000Z' }])
    expect(after[0]?.sequence).toBeGreaterThan(first?.sequence ?? 0)
  })

  test('can take it back: a new one ends the one before, and the account ends it too', async () => {
    const first = await link()
    const second = await link()
    expect([(await read(first)).status, (await read(second)).status]).toEqual([404, 200])
    expect((await own('GET')).body).toMatchObject({ connected: true, read_at: app.clock.now().toISOString() })
    expect((await own('DELETE')).body).toBe('success')
    expect((await read(second)).status).toBe(404)
    expect((await own('GET')).body).toEqual({ connected: false, created_at: null, read_at: null })
    const third = await link()
    const left = await app.call('POST', '/client/delete-account', {
      token: client.token,
      body: { current_password: password, understood: true },
    })
    expect(left.status).toBe(200)
    expect((await read(third)).status).toBe(404)
    expect(await app.db.selectFrom('client_calendar_feeds').selectAll().execute()).toEqual([])
  })

  test('ends the link of a stranger who registered with their email, by the mail for a new password', async () => {
    const reset = async (email: string) => {
      await app.call('POST', '/client/forgot-password', { body: { email } })
      await app.queue.drain()
      const next = 'a wholly new phrase'
      const mails = app.mails().filter((mail) => mail.includes('reset-password'))
      const body = { token: tokenOf(linkIn(mails.at(-1) ?? '')), email }
      const answer = await app.call('POST', '/client/password/reset', {
        body: { ...body, password: next, password_confirmation: next },
      })
      expect(answer.status).toBe(200)
    }
    const strangers = await link()
    const others = await link(await createClient(app))
    await reset(client.email)
    expect([(await read(strangers)).status, (await read(others)).status]).toEqual([404, 200])
    // From now on the email is confirmed, and a link is of its holder.
    client = { ...client, token: String((await signInWith(client.email, 'a wholly new phrase')).body.token) }
    const own = await link()
    await reset(client.email)
    expect((await read(own)).status).toBe(200)
  })

  test('and the practitioner see the hour that was booked on both sides of a clock change', async () => {
    app.clock.set('2026-10-20T08:00:00Z')
    client = await signInAgain(app, client)
    token = await signInPractitioner(app, practitioner)
    // Clocks go back on the night between.
    await bookSession(app, { practitioner, client, startsAt: '2026-10-24T08:00:00Z' })
    await bookSession(app, { practitioner, client, startsAt: '2026-10-25T09:00:00Z' })
    for (const url of [await link(), await connect()]) {
      const entries = parsed(await raw(url))
      expect(entries.map(({ start }) => inLondon(start))).toEqual(['24/10/2026, 09:00', '25/10/2026, 09:00'])
      expect(entries.map(({ end }) => inLondon(end))).toEqual(['24/10/2026, 09:50', '25/10/2026, 09:50'])
    }
  })
})

test('a calendar app that reads too often gets a 429', async () => {
  await app.close()
  app = await buildTestApp({ rateLimitScale: 0.025 })
  const ask = () => fetch(`${app.origin}/calendar/${'a'.repeat(43)}.ics`)
  for (let time = 0; time < 3; time++) expect((await ask()).status).toBe(404)
  expect((await ask()).status).toBe(429)
})

describe('concurrent requests for links', () => {
  test('are all made, by clients and by practitioners, and the last one is the one that is good', async () => {
    const parallel = await buildTestApp({ database: (await clusterDatabase(20)).database })
    const someone = await createClient(parallel)
    const other = await signInPractitioner(parallel, await createPractitioner(parallel))
    for (const [path, token] of [
      ['/client/calendar-feed', someone.token],
      ['/therapist/calendar-feed', other],
    ] as const) {
      const answers = await Promise.all(
        Array.from({ length: 30 }, () => parallel.call('POST', path, { token, body: {} })),
      )
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
      const good = await Promise.all(
        answers.map(({ body }) => fetch(String(body.url).replace('http://hearth.test', parallel.origin))),
      )
      expect(good.filter(({ status }) => status === 200)).toHaveLength(1)
      expect((await parallel.call('GET', path, { token })).body.connected).toBe(true)
    }
    await parallel.close()
  })

  test('is not made by a sign-in that ends at that moment, as when an account goes back to its holder', async () => {
    const parallel = await buildTestApp({ database: (await clusterDatabase()).database })
    const client = await createClient(parallel)
    const { asking } = await inTransaction(parallel.db, async (tx) => {
      const now = parallel.clock.now()
      await tx.updateTable('accounts').set({ email_verified_at: now }).where('id', '=', client.id).execute()
      await tx.updateTable('login_sessions').set({ ended_at: now }).execute()
      const asked = parallel.call('POST', '/client/calendar-feed', { token: client.token, body: {} })
      await untilOneWaits(parallel.db)
      return { asking: asked }
    })
    expect((await asking).status).toBe(401)
    expect(await parallel.db.selectFrom('client_calendar_feeds').selectAll().execute()).toEqual([])
    await parallel.close()
  })
})
