import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Signal } from '#contract/rooms/signals.ts'
import { openServer } from '#server/db/connection.ts'
import type { Live } from '#server/integrations/live/port.ts'
import { postgresLive } from '#server/integrations/live/postgres.ts'
import { redisLive } from '#server/integrations/live/redis.ts'
import { createSecrets } from '#server/secrets.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { type ChatSocket, connectChat } from '#test/chat-socket.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
import {
  bookSession,
  createClient,
  createPractitioner,
  signInAgain,
  signInPractitioner,
  signInToChat,
} from '#test/factories.ts'
import { type PrivateRedis, startRedis } from '#test/private-redis.ts'
import { devices, sitDown } from '#test/rooms.ts'

const { phone, desk } = devices
const start = new Date('2026-06-08T09:00:00Z')
const secrets = createSecrets([Buffer.alloc(32, 7)])
const sealing = {
  seal: (bytes: Buffer) => secrets.seal('live event', '', bytes),
  open: (bytes: Buffer) => secrets.open('live event', '', bytes),
  say: () => undefined,
  lookEvery: 200,
}

let redis: PrivateRedis
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(async () => redis.stop())

let here: TestApp
let there: TestApp
let id: string
let tokens: { client: string; therapist: string }
let client: ChatSocket
let therapist: ChatSocket

/** Two instances on one database, the client's page at one and the practitioner's at the other. */
async function open(live: (url: string) => Live): Promise<void> {
  const { url, database } = await clusterDatabase(5)
  here = await buildTestApp({ database, secrets, rateLimitScale: 1, live: live(url) })
  there = await buildTestApp({
    database: openServer(url, 5, () => undefined),
    secrets,
    rateLimitScale: 1,
    clock: here.clock,
    directory: here.directory,
    live: live(url),
  })
  const person = await createClient(here)
  const practitioner = await createPractitioner(here)
  await here.db.updateTable('practitioners').set({ room: 'hearth' }).execute()
  id = await bookSession(here, { practitioner, client: person, startsAt: start.toISOString() })
  here.clock.set(start)
  tokens = {
    client: (await signInAgain(here, person)).token,
    therapist: await signInPractitioner(here, practitioner),
  }
  client = await connectChat(here.origin, (await signInToChat(here, tokens.client)).token)
  therapist = await connectChat(there.origin, (await signInToChat(here, tokens.therapist)).token)
}

afterEach(async () => {
  for (const each of [client, therapist]) each.close()
  await there.close()
  await here.close()
})

const ofClient = (n: number, data: Signal['data'] = { type: 'offer', sdp: 'v=0' }): Signal => ({
  appointment_id: id,
  to: desk,
  from: phone,
  n,
  kind: 'description',
  data,
})
const send = async ({ socket }: ChatSocket, signal: Signal) => {
  const answer = (await socket.timeout(20_000).emitWithAck('signal', signal)) as unknown as
    | { ok: true }
    | { ok: false; error: { code: string } }
  return answer.ok ? 'ok' : answer.error.code
}
const decide = (what: 'admit' | 'wait' | 'end') =>
  there.call('POST', `/therapist/sessions/${id}/room/${what}`, { token: tokens.therapist })
const changed = () => ({ type: 'room.changed', appointment_id: id })

/** Until a change at either instance is heard at the other. */
async function haveMet(): Promise<void> {
  await vi.waitFor(async () => {
    client.received.notice.length = 0
    therapist.received.notice.length = 0
    await sitDown(here, id, tokens.client, phone, { take: true })
    await here.call('POST', `/appointment/${id}/room/leave`, {
      token: tokens.client,
      body: { peer_id: phone },
    })
    await there.call('POST', `/appointment/${id}/room/leave`, {
      token: tokens.therapist,
      body: { peer_id: desk },
    })
    await sitDown(there, id, tokens.therapist, desk, { take: true })
    await sitDown(here, id, tokens.client, phone, { take: true })
    await vi.waitFor(() => {
      expect(client.received.notice.length).toBeGreaterThanOrEqual(4)
      expect(therapist.received.notice.length).toBeGreaterThanOrEqual(4)
    })
  }, 20_000)
}

describe.each([
  ['Redis', () => redisLive({ url: redis.url, ...sealing })],
  ['PostgreSQL', (url: string) => postgresLive({ url, ...sealing })],
] as const)('a room with its two people at two instances, joined by %s', (_by, live) => {
  beforeEach(() => open(live))

  test('has one state, and carries signals of 16 KB in their order', async () => {
    await haveMet()
    expect(await send(client, ofClient(0))).toBe('not_admitted')
    await decide('admit')
    await expect.poll(() => client.received.notice).toContainEqual(changed())
    const largest = 'é'.repeat(8 * 1024 - 1)
    const sent = [ofClient(1), ofClient(2, largest), ofClient(3, largest), ofClient(4)]
    for (const signal of sent) expect(await send(client, signal)).toBe('ok')
    await expect.poll(() => therapist.received.signal).toEqual(sent)
    const back = { ...ofClient(5, largest), from: desk, to: phone }
    expect(await send(therapist, back)).toBe('ok')
    await expect.poll(() => client.received.signal).toEqual([back])

    // Each of the changes finds what decides about the signals kept by the instance of the client.
    for (const n of [6, 8, 10]) {
      client.received.notice.length = 0
      await decide('wait')
      await expect.poll(() => client.received.notice).toContainEqual(changed())
      expect(await send(client, ofClient(n))).toBe('not_admitted')
      await decide('admit')
      expect(await send(client, ofClient(n + 1))).toBe('ok')
    }
    client.received.notice.length = 0
    await decide('end')
    await expect.poll(() => client.received.notice).toContainEqual(changed())
    expect(await send(client, ofClient(12))).toBe('room_closed')
    await expect.poll(() => therapist.received.signal).toHaveLength(7)
  })
})

test('a change of which another instance does not hear counts there within a second', async () => {
  const quiet = () => {
    const live = redisLive({ url: redis.url, ...sealing })
    return { ...live, tell: () => undefined }
  }
  await open(quiet)
  await sitDown(there, id, tokens.therapist, desk)
  await sitDown(here, id, tokens.client, phone)
  await decide('admit')
  await vi.waitFor(async () => expect(await send(client, ofClient(1))).toBe('ok'))
  await decide('wait')
  // What the client's instance keeps was read before the change, so that it is older by then.
  await sleep(1000)
  expect(await send(client, ofClient(2))).toBe('not_admitted')
  expect(therapist.received.signal.map(({ n }) => n)).not.toContain(2)
})

test('signals are lost while Redis is away, no call waits for it, and the same ones arrive once it is back', async () => {
  await open(() => redisLive({ url: redis.url, ...sealing }))
  await haveMet()
  await decide('admit')
  await redis.stop()
  for (let n = 1; n <= 5; n++) expect(await send(client, ofClient(n))).toBe('ok')
  // What decides is in the database, so that both sides still agree.
  expect((await decide('wait')).body).toMatchObject({ state: 'waiting' })
  expect(await send(client, ofClient(6))).toBe('not_admitted')
  expect((await decide('admit')).body).toMatchObject({ state: 'admitted' })
  expect(therapist.received.signal).toEqual([])
  await redis.start()
  await vi.waitFor(
    async () => {
      expect(await send(client, ofClient(7))).toBe('ok')
      await vi.waitFor(() => expect(therapist.received.signal.at(-1)).toEqual(ofClient(7)))
    },
    { timeout: 20_000 },
  )
})
