import { io } from 'socket.io-client'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { ErrorAnswer } from '#contract/errors.ts'
import { openServer } from '#server/db/connection.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { insertPairs, openDialogOf } from '#test/chat-people.ts'
import { type ChatSocket, connectChat } from '#test/chat-socket.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
import {
  type ChatUser,
  type Client,
  createAdmin,
  createClient,
  createPractitioner,
  type Practitioner,
  signInAgain,
  signInPractitioner,
  signInToChat,
} from '#test/factories.ts'
import { heldMessages } from '#test/held-messages.ts'
import { linkIn } from '#test/mails.ts'

let app: TestApp
let account: Client
let practitioner: Practitioner
let client: ChatUser
let therapist: ChatUser
let dialog: string
const open: ChatSocket[] = []

beforeAll(async () => {
  app = await buildTestApp()
  account = await createClient(app)
  practitioner = await createPractitioner(app)
  client = await signInToChat(app, account.token)
  therapist = await signInToChat(app, await signInPractitioner(app, practitioner))
  const answer = await app.call('POST', '/chat/dialogs', {
    token: client.token,
    body: { practitioner_id: practitioner.id },
  })
  dialog = String(answer.body._id)
})
afterEach(() => {
  for (const socket of open.splice(0)) socket.close()
})
afterAll(async () => app.close())

async function connect(user: { token: string }, options?: Parameters<typeof connectChat>[2]) {
  const socket = await connectChat(app.origin, user.token, options)
  open.push(socket)
  return socket
}
const count = async () => (await app.db.selectFrom('chat_messages').select('seq').execute()).length

test('what one writes reaches the other, and one’s own other windows', async () => {
  const [mine, mineToo, theirs] = [await connect(client), await connect(client), await connect(therapist)]
  const sent = await mine.send(dialog, 'Good evening. 🌙')
  if (!sent.ok) throw new Error(sent.error.code)
  await vi.waitFor(() => expect(theirs.received.message).toHaveLength(1))
  await vi.waitFor(() => expect(mineToo.received.message).toHaveLength(1))
  expect(theirs.received.message).toEqual([{ chat_dialog_id: dialog, message: sent.message }])
  expect(sent.message).toMatchObject({ message: 'Good evening. 🌙', sender_id: client.id })
  // The answer is enough for the window that it was written in.
  expect(mine.received.message).toEqual([])

  const read = await theirs.socket.emitWithAck('read', { chat_dialog_id: dialog, up_to: sent.message.seq })
  expect(read).toEqual({ ok: true, up_to: sent.message.seq })
  await vi.waitFor(() =>
    expect(mine.received.read).toEqual([
      { chat_dialog_id: dialog, reader_id: therapist.id, up_to: sent.message.seq },
    ]),
  )
  theirs.socket.emit('typing', { chat_dialog_id: dialog })
  theirs.socket.emit('typing', { chat_dialog_id: dialog })
  await vi.waitFor(() =>
    expect(mine.received.typing).toEqual([{ chat_dialog_id: dialog, sender_id: therapist.id }]),
  )
  expect(theirs.received.typing).toEqual([])
})

test('what was sent in a row stands in that row, and is found again after any of it', async () => {
  const mine = await connect(client)
  const before = await count()
  const texts = Array.from({ length: 40 }, (_, index) => `Line ${index}`)
  const answers = await Promise.all(texts.map((text) => mine.send(dialog, text)))
  expect(answers.map((answer) => answer.ok && answer.message.seq)).toEqual(
    texts.map((_, index) => before + index + 1),
  )
  const theirs = await connect(therapist)
  const after = await theirs.socket.emitWithAck('after', {
    chat_dialog_id: dialog,
    after: before + 10,
    limit: 25,
  })
  if (!after.ok) throw new Error(after.error.code)
  expect(after.messages.map(({ message }) => message)).toEqual(texts.slice(10, 35))
  expect(after.more).toBe(true)
})

test.each([
  ['another origin', { origin: 'http://elsewhere.test' }],
  ['another port', { origin: 'http://hearth.test:8080' }],
  ['an origin that is none', { origin: 'null' }],
  ['a browser that does not say where it is', { origin: null, headers: { 'sec-fetch-mode': 'websocket' } }],
])('is not opened from %s', async (_what, options) => {
  await expect(connect(client, options)).rejects.toThrow()
})

test('is opened by what is no browser, with a token', async () => {
  await connect(client, { origin: null })
})

test('is opened by a good token of the chat alone', async () => {
  const gone = await createClient(app)
  const spent = await signInToChat(app, gone.token)
  await app.call('POST', '/client/logout', { token: gone.token })
  for (const token of ['', 'a'.repeat(43), account.token, spent.token, 7, { $ne: '' }, undefined]) {
    const refused = await connectChat(app.origin, token).catch((error: unknown) => error)
    expect((refused as { data?: ErrorAnswer }).data?.code).toBe('unauthenticated')
  }
})

test('is opened thirty times by an account and no more, until one of them is closed', async () => {
  const user = await signInToChat(app, (await createClient(app)).token)
  const windows = await Promise.all(Array.from({ length: 30 }, () => connect(user)))
  const refused = await connect(user).catch((error: unknown) => error)
  expect((refused as { data?: ErrorAnswer }).data?.code).toBe('too_many_requests')
  await connect(client)
  windows[0]?.close()
  await vi.waitFor(() => connect(user))
})

test('a stranger gets 404 for every event, and no frame of others', async () => {
  const another = await createPractitioner(app)
  const strangers = [
    await connect(await signInToChat(app, (await createClient(app)).token)),
    await connect(await signInToChat(app, await signInPractitioner(app, another))),
  ]
  const before = await count()
  for (const { socket, send } of strangers) {
    for (const id of [dialog, '00000000-0000-4000-8000-000000000000']) {
      const answers = [
        await send(id, 'Let me in.'),
        await socket.emitWithAck('read', { chat_dialog_id: id, up_to: 1 }),
        await socket.emitWithAck('after', { chat_dialog_id: id, after: 0 }),
      ]
      expect(answers).toEqual(
        answers.map(() => ({ ok: false, error: { code: 'not_found', message: expect.any(String) } })),
      )
      socket.emit('typing', { chat_dialog_id: id })
    }
  }
  const [mine, theirs] = [await connect(client), await connect(therapist)]
  await mine.send(dialog, 'Only between us.')
  await vi.waitFor(() => expect(theirs.received.message).toHaveLength(1))
  await theirs.socket.emitWithAck('read', { chat_dialog_id: dialog, up_to: before + 1 })
  await vi.waitFor(() => expect(mine.received.read).toHaveLength(1))
  // Any event sent to them would arrive before this acknowledgement.
  for (const { socket, received } of strangers) {
    await socket.emitWithAck('after', { chat_dialog_id: dialog, after: 0 })
    expect(Object.values(received).flat()).toEqual([])
  }
  expect(theirs.received.typing).toEqual([])
  expect(await count()).toBe(before + 1)
})

test('what cannot be read is refused in words, and brings nothing down', async () => {
  const mine = await connect(client)
  const before = await count()
  const emit = mine.socket.emitWithAck.bind(mine.socket) as (name: string, sent?: unknown) => Promise<unknown>
  for (const sent of [
    null,
    7,
    [],
    {},
    { chat_dialog_id: dialog },
    { chat_dialog_id: dialog, message: '' },
    { chat_dialog_id: dialog, message: '\u200b \n' },
    { chat_dialog_id: dialog, message: 'x'.repeat(4001) },
    { chat_dialog_id: dialog, message: 'a\u0000' },
    { chat_dialog_id: dialog, message: { text: 'x' } },
    { _id: 'mine', chat_dialog_id: dialog, message: 'x' },
  ]) {
    expect(await emit('send', sent)).toMatchObject({ ok: false, error: { code: 'validation_failed' } })
  }
  expect(await emit('after', { chat_dialog_id: dialog, after: -1 })).toMatchObject({ ok: false })
  ;(mine.socket as { emit(name: string, ...rest: unknown[]): unknown }).emit('no such event', () => undefined)
  mine.socket.emit('typing', null as never)
  expect((await mine.send(dialog, '𝒳'.repeat(4000))).ok).toBe(true)
  expect(await count()).toBe(before + 1)
  expect(app.logged()).not.toContain('𝒳')
})

test('a socket ends with the sign-in that it came from, and others go on', async () => {
  const second = await signInAgain(app, account)
  const ending = await connect(await signInToChat(app, second.token))
  const staying = await connect(client)
  const reason = new Promise((resolve) => ending.socket.once('disconnect', resolve))
  await app.call('POST', '/client/logout', { token: second.token })
  expect(await reason).toBe('io server disconnect')
  expect((await staying.send(dialog, 'Still here.')).ok).toBe(true)
})

test('a socket on another instance ends within 5 seconds of a new password, with nothing between the two', async () => {
  const { url, database } = await clusterDatabase()
  const here = await buildTestApp({ database })
  const there = await buildTestApp({
    database: openServer(url, 5, () => undefined),
    clock: here.clock,
    secrets: here.secrets,
  })
  try {
    const person = await createClient(here)
    const { token } = await signInToChat(here, person.token)
    const [near, far] = [await connectChat(here.origin, token), await connectChat(there.origin, token)]
    const ended = [near, far].map(
      ({ socket }) => new Promise<number>((done) => socket.once('disconnect', () => done(performance.now()))),
    )
    await here.call('POST', '/client/forgot-password', { body: { email: person.email } })
    await here.queue.drain()
    const link = here
      .mails()
      .map(linkIn)
      .findLast(({ pathname }) => pathname === '/reset-password')
    const next = 'six tall poplars'
    const body = {
      token: link?.searchParams.get('token'),
      email: person.email,
      password: next,
      password_confirmation: next,
    }
    expect((await here.call('POST', '/client/password/reset', { body })).status).toBe(200)
    const reset = performance.now()
    expect((await there.call('GET', '/client/profile', { token: person.token })).status).toBe(401)
    const [nearAt = 0, farAt = 0] = await Promise.all(ended)
    expect(nearAt - reset).toBeLessThan(2000)
    expect(farAt - reset).toBeLessThan(5000)
  } finally {
    await there.close()
    await here.close()
  }
}, 60_000)

test.each(['suspend', 'close'] as const)(
  'sockets of a practitioner end within 2 seconds of %s, on another instance within 5, and theirs alone',
  async (action) => {
    const { url, database } = await clusterDatabase()
    const here = await buildTestApp({ database })
    const there = await buildTestApp({
      database: openServer(url, 5, () => undefined),
      clock: here.clock,
      secrets: here.secrets,
    })
    try {
      const [one, other] = [await createPractitioner(here), await createPractitioner(here)]
      const { token } = await signInToChat(here, await signInPractitioner(here, one))
      const others = await signInToChat(here, await signInPractitioner(here, other))
      const [near, far] = [await connectChat(here.origin, token), await connectChat(there.origin, token)]
      const staying = await connectChat(there.origin, others.token)
      const admin = await createAdmin(here)
      const answer = await here.call('POST', `/admin/practitioners/${one.id}/${action}`, {
        token: admin.token,
        body: { reason: 'A complaint is being looked into.' },
      })
      expect(answer.status).toBe(200)
      const nearEnds = expect.poll(() => near.socket.connected, { timeout: 2000, interval: 20 }).toBe(false)
      const farEnds = expect.poll(() => far.socket.connected, { timeout: 5000, interval: 20 }).toBe(false)
      await Promise.all([nearEnds, farEnds])
      await expect(connectChat(there.origin, token)).rejects.toThrow()
      expect(staying.socket.connected).toBe(true)
      staying.socket.close()
    } finally {
      await there.close()
      await here.close()
    }
  },
  60_000,
)

test('a suspended practitioner’s socket ends', async () => {
  const another = await createPractitioner(app)
  const socket = await connect(await signInToChat(app, await signInPractitioner(app, another)))
  const reason = new Promise((resolve) => socket.socket.once('disconnect', resolve))
  const admin = await createAdmin(app)
  const answer = await app.call('POST', `/admin/practitioners/${another.id}/suspend`, {
    token: admin.token,
    body: { reason: 'A complaint is being looked into.' },
  })
  expect(answer.status).toBe(200)
  expect(await reason).toBe('io server disconnect')
})

test.each([[[]], [['gathered-packets']]] as const)(
  'a message on its way when the product stops reaches both, without %j',
  async (without) => {
    const { url, database } = await clusterDatabase()
    const beside = openServer(url, 2, () => undefined)
    const stopped = await buildTestApp({ database, without })
    const [pair] = await insertPairs(beside.db, 1)
    if (!pair) throw new Error('Nobody is there.')
    const held = await heldMessages(beside.db)
    const talk = await openDialogOf(stopped.origin, pair)
    const mine = await connectChat(stopped.origin, pair.client.token)
    const theirs = await connectChat(stopped.origin, pair.therapist.token)
    await held.hold(talk)
    const sent = mine.send(talk, 'Before you go.')
    await held.untilWaiting()
    const closed = stopped.close()
    await held.release(talk)
    expect(await sent).toMatchObject({ ok: true, message: { message: 'Before you go.' } })
    await closed
    expect(theirs.received.message).toMatchObject([{ message: { message: 'Before you go.' } }])
    await vi.waitFor(() => expect(mine.socket.connected || theirs.socket.connected).toBe(false))
    await beside.close()
  },
)

test('other paths are left alone', async () => {
  const other = io(app.origin, { path: '/elsewhere', transports: ['websocket'], reconnection: false })
  const refused = await new Promise<Error>((resolve) => other.once('connect_error', resolve))
  expect(refused.message).toBe('websocket error')
})
