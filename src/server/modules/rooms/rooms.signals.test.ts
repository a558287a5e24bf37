import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Signal } from '#contract/rooms/signals.ts'
import { later, minutes, seconds } from '#server/clock.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { type ChatSocket, connectChat } from '#test/chat-socket.ts'
import {
  bookSession,
  type Client,
  createAdmin,
  createClient,
  createPractitioner,
  type Practitioner,
  signInAgain,
  signInPractitioner,
  signInToChat,
} from '#test/factories.ts'

const start = new Date('2026-06-08T09:00:00Z')
const phone = '00000000-0000-4000-8000-000000000001'
const laptop = '00000000-0000-4000-8000-000000000002'
const desk = '00000000-0000-4000-8000-000000000003'

let app: TestApp
let practitioner: Practitioner
let client: Client
let therapist: string
let id: string
let clients: ChatSocket
let therapists: ChatSocket
beforeEach(async () => {
  app = await buildTestApp({ rateLimitScale: 1 })
  client = await createClient(app)
  practitioner = await createPractitioner(app)
  await app.db.updateTable('practitioners').set({ room: 'hearth' }).execute()
  id = await bookSession(app, { practitioner, client, startsAt: start.toISOString() })
  app.clock.set(later(start, -minutes(15)))
  client = await signInAgain(app, client)
  therapist = await signInPractitioner(app, practitioner)
  clients = await socketOf(client.token)
  therapists = await socketOf(therapist)
  await sit(client.token, phone)
  await sit(therapist, desk)
})
afterEach(async () => {
  for (const each of [clients, therapists]) each.close()
  await app.close()
})

const socketOf = async (token: string) => connectChat(app.origin, (await signInToChat(app, token)).token)
const sit = (token: string, peer: string) =>
  app.call('POST', `/appointment/${id}/room/seat`, { token, body: { peer_id: peer, take: true } })
const decide = (what: 'admit' | 'wait' | 'end') =>
  app.call('POST', `/therapist/sessions/${id}/room/${what}`, { token: therapist })
const ofClient = (change: Partial<Signal> = {}): Signal => ({
  appointment_id: id,
  to: desk,
  from: phone,
  n: 1,
  kind: 'description',
  data: { type: 'offer', sdp: 'v=0' },
  ...change,
})
const send = async ({ socket }: ChatSocket, signal: unknown) => {
  const answer = (await socket.timeout(20_000).emitWithAck('signal', signal as Signal)) as unknown as
    | { ok: true }
    | { ok: false; error: { code: string } }
  return answer.ok ? 'ok' : answer.error.code
}

test('reach the other person once the client is let in, on every socket, and not their sender', async () => {
  await decide('admit')
  const second = await socketOf(therapist)
  expect(await send(clients, ofClient())).toBe('ok')
  expect(await send(therapists, ofClient({ from: desk, to: phone, n: 7, kind: 'candidate' }))).toBe('ok')
  await expect
    .poll(() => [therapists, second, clients].map(({ received }) => received.signal))
    .toEqual([[ofClient()], [ofClient()], [ofClient({ from: desk, to: phone, n: 7, kind: 'candidate' })]])
  second.close()
})

test('are refused before the client is let in, back in waiting, and after the end', async () => {
  expect(await send(clients, ofClient())).toBe('not_admitted')
  expect(await send(therapists, ofClient({ from: desk, to: phone }))).toBe('not_admitted')
  await decide('admit')
  await decide('wait')
  expect(await send(clients, ofClient())).toBe('not_admitted')
  await decide('end')
  expect(await send(clients, ofClient())).toBe('room_closed')
  expect(therapists.received.signal).toEqual([])
  expect(clients.received.signal).toEqual([])
})

test('are refused from a device without the seat, to a device that left, and from another account', async () => {
  await decide('admit')
  const stranger = await socketOf((await createClient(app)).token)
  expect(await send(stranger, ofClient())).toBe('not_found')
  expect(await send(clients, ofClient({ appointment_id: laptop }))).toBe('not_found')
  await sit(client.token, laptop)
  expect(await send(clients, ofClient())).toBe('seat_taken_over')
  expect(await send(therapists, ofClient({ from: desk, to: phone }))).toBe('forbidden')
  expect(await send(clients, ofClient({ from: laptop }))).toBe('ok')
  await expect.poll(() => therapists.received.signal).toHaveLength(1)
  expect(clients.received.signal).toEqual([])
  expect(stranger.received.signal).toEqual([])
  stranger.close()
})

test('are refused above 16 KB, with other fields wrong, and above 200 in ten seconds', async () => {
  await decide('admit')
  for (const wrong of [
    // A byte more than 16 KB, with its quotation marks.
    ofClient({ data: 'x'.repeat(16 * 1024 - 1) }),
    ofClient({ data: 'é'.repeat(9 * 1024) }),
    { ...ofClient(), kind: 'shout' },
    { ...ofClient(), n: -1 },
    { ...ofClient(), to: 'desk' },
    'text',
    null,
  ]) {
    expect(await send(clients, wrong)).toBe('validation_failed')
  }
  expect(therapists.received.signal).toEqual([])
  expect(await send(clients, ofClient({ data: 'x'.repeat(16 * 1024 - 2) }))).toBe('ok')

  // The socket's own limit lets 40 a second through; this one counts ten seconds.
  let passed = 1
  for (let round = 0; passed < 200; round++) {
    app.clock.advance(seconds(1))
    for (let count = 0; count < 40 && passed < 200; count++, passed++) {
      expect(await send(clients, ofClient({ n: passed }))).toBe('ok')
    }
  }
  expect(await send(clients, ofClient())).toBe('too_many_requests')
  expect(await send(therapists, ofClient({ from: desk, to: phone }))).toBe('ok')
  await expect.poll(() => therapists.received.signal).toHaveLength(200)
})

test('are refused when nested more deeply than a check can follow, and the server goes on', async () => {
  await decide('admit')
  expect(await send(clients, ofClient({ data: nested(9) }))).toBe('validation_failed')
  // As a hostile client writes it: the library that tests use cannot encode so many levels.
  const { data: _, ...signal } = ofClient()
  const deep = `${JSON.stringify(signal).slice(0, -1)},"data":${'['.repeat(15_000)}${']'.repeat(15_000)}}`
  clients.socket.io.engine.write(`2["signal",${deep}]`)
  expect(await send(clients, ofClient({ data: nested(8) }))).toBe('ok')
  await expect.poll(() => therapists.received.signal).toEqual([ofClient({ data: nested(8) })])
})

const nested = (levels: number): Signal['data'] => (levels === 0 ? 1 : [nested(levels - 1)])

test('are refused once the practitioner is suspended or the session is cancelled', async () => {
  await decide('admit')
  const admin = (await createAdmin(app)).token
  const suspended = await app.call('POST', `/admin/practitioners/${practitioner.id}/suspend`, {
    token: admin,
    body: { reason: 'A complaint.', cause: 'conduct', sessions: 'cancel' },
  })
  expect(suspended.status).toBe(200)
  expect(await send(clients, ofClient())).toBe('room_closed')
  expect(therapists.received.signal).toEqual([])
})

test('a suspension after the end of a session closes its room as well', async () => {
  await decide('admit')
  app.clock.set(later(start, minutes(55)))
  client = await signInAgain(app, client)
  const suspended = await app.call('POST', `/admin/practitioners/${practitioner.id}/suspend`, {
    token: (await createAdmin(app)).token,
    body: { reason: 'A complaint.', cause: 'conduct', sessions: 'freeze' },
  })
  expect(suspended.status).toBe(200)
  const room = await app.call('GET', `/appointment/${id}/room`, { token: client.token })
  expect(room.body).toMatchObject({ state: 'ended', ended_by: 'system', ice: null, seat: null })
})
