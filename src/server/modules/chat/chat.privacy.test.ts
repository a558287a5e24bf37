import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { rotateKeys } from '#server/commands/key-rotation.ts'
import { minutes } from '#server/clock.ts'
import { createSecrets } from '#server/secrets.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { readSlowly } from '#test/chat-slow-reader.ts'
import { connectChat } from '#test/chat-socket.ts'
import { type ChatUser, createAdmin, openChat } from '#test/factories.ts'
import { movableClock } from '#test/movable-clock.ts'
import { createEncryption } from './chat.encryption.ts'

let app: TestApp
let client: ChatUser
let therapist: ChatUser
let dialog: string

beforeEach(async () => {
  app = await buildTestApp()
  ;({ client, therapist, dialog } = await openChat(app))
})
afterEach(async () => app.close())

const send = async (user: ChatUser, message: string) => {
  const body = { chat_dialog_id: dialog, message }
  expect((await app.call('POST', '/chat/messages', { token: user.token, body })).status).toBe(201)
}
const texts = async () => {
  const answer = await app.call('GET', `/chat/messages?chat_dialog_id=${dialog}`, { token: client.token })
  return (answer.body as unknown as { message: string }[]).map(({ message }) => message)
}

/** Every row of every table, as text, with bytes as they are. */
async function dump(): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`.execute(app.db)
  const parts: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.raw(name)} t`.execute(app.db)
    parts.push(...rows.map(({ row }) => row))
  }
  return parts.join('\n')
}

test('what is written is in no table and no log, in no form', async () => {
  const canary = 'Canary: I have told nobody but you.'
  await send(client, canary)
  const socket = await connectChat(app.origin, therapist.token)
  expect((await socket.send(dialog, canary)).ok).toBe(true)
  await app.call('POST', '/chat/messages', {
    token: client.token,
    body: { chat_dialog_id: 'x', message: canary },
  })
  socket.close()
  await app.queue.drain()
  expect(await texts()).toEqual([canary, canary])
  const everything = (await dump()) + app.logged() + app.mails().join('\n')
  expect(everything).toContain(dialog)
  const forms = [canary, Buffer.from(canary).toString('hex'), Buffer.from(canary).toString('base64')]
  for (const form of forms) expect(everything.includes(form), form).toBe(false)
  for (const form of ['hex', 'base64'] as const) {
    const inside = Buffer.from(canary.slice(9, 33)).toString(form).slice(4, -4)
    expect(everything.includes(inside), form).toBe(false)
  }
})

test('a text opens in its own place alone', () => {
  const encryption = createEncryption(createSecrets([randomBytes(32)]), { kept: 2 })
  const place = { dialogId: 'one', messageId: 'a', senderId: 'anna' }
  const key = encryption.newKey('one')
  const body = encryption.encrypt(key, place, 'Hello. 🌙')
  expect(encryption.decrypt(key, place, body)).toBe('Hello. 🌙')
  for (const other of [{ dialogId: 'two' }, { messageId: 'b' }, { senderId: 'ben' }]) {
    expect(() => encryption.decrypt(key, { ...place, ...other }, body)).toThrow()
  }
  const changed = Buffer.from(body)
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1
  expect(() => encryption.decrypt(key, place, changed)).toThrow()
  expect(() => createEncryption(createSecrets([randomBytes(32)])).decrypt(key, place, body)).toThrow()
})

test('an opened key is kept for ten minutes, until others come or it is sealed anew', () => {
  const clock = movableClock()
  const secrets = createSecrets([randomBytes(32)])
  const opened: string[] = []
  const open: typeof secrets.open = (purpose, owner, sealed) => {
    opened.push(owner)
    return secrets.open(purpose, owner, sealed)
  }
  const encryption = createEncryption({ ...secrets, open }, { clock, kept: 2 })
  const use = (dialogId: string, key: Uint8Array) =>
    encryption.encrypt(key, { dialogId, messageId: 'a', senderId: 'anna' }, 'Hello.')
  const one = encryption.newKey('one')
  use('one', one)
  clock.advance(minutes(9))
  use('one', one)
  expect([opened, encryption.known('one')]).toEqual([['one'], one])
  clock.advance(minutes(1))
  expect(encryption.known('one')).toBeUndefined()
  use('one', one)
  expect(opened).toEqual(['one', 'one'])

  const anew = secrets.seal('chat dialog key', 'one', secrets.open('chat dialog key', 'one', one))
  use('one', anew)
  expect(encryption.known('one')).toBe(anew)
  for (const other of ['two', 'three']) use(other, encryption.newKey(other))
  expect(encryption.known('one')).toBeUndefined()
  expect(opened).toEqual(['one', 'one', 'one', 'two', 'three'])
})

test('a new key takes the place of the old one, and everything can still be read', async () => {
  await send(client, 'Before the change.')
  await createAdmin(app)
  const old = randomBytes(32)
  const young = randomBytes(32)
  // From the key of the app to one that this test holds, and from there to the next.
  const [{ sealed_key }] = (await app.db.selectFrom('chat_dialogs').select('sealed_key').execute()) as [
    { sealed_key: Uint8Array },
  ]
  const bare = app.secrets.open('chat dialog key', dialog, sealed_key)
  await app.db
    .updateTable('chat_dialogs')
    .set({ sealed_key: createSecrets([old]).seal('chat dialog key', dialog, bare) })
    .execute()
  await app.db.deleteFrom('second_factors').execute()

  const both = createSecrets([young, old])
  expect(await rotateKeys(app.db, both)).toEqual({ sealed: 1, codesLeft: 0 })
  expect(await rotateKeys(app.db, both)).toEqual({ sealed: 0, codesLeft: 0 })
  const row = await app.db.selectFrom('chat_dialogs').select('sealed_key').executeTakeFirstOrThrow()
  expect(createSecrets([young]).open('chat dialog key', dialog, row.sealed_key)).toEqual(bare)
  expect(() => createSecrets([old]).open('chat dialog key', dialog, row.sealed_key)).toThrow()
  // A digest is looked for by every key.
  expect(both.digests('recovery code', 'a', 'X')[1]).toEqual(
    createSecrets([old]).digest('recovery code', 'a', 'X'),
  )
})

test('a reader that takes a kilobyte a second is cut off; memory stays flat, and others wait no longer', async () => {
  // It would learn of its end only after a kilobyte at a time: the server's end is looked at.
  let itsEnd: { destroyed: boolean } | undefined
  app.app.server.once('connection', (socket: { destroyed: boolean }) => {
    itsEnd = socket
  })
  const slow = await readSlowly(app.origin, therapist.token)
  const isCut = () => itsEnd?.destroyed === true
  expect(itsEnd).toBeDefined()
  const [mine, theirs] = [
    await connectChat(app.origin, client.token),
    await connectChat(app.origin, therapist.token),
  ]
  try {
    const long = '🌙'.repeat(4000)
    const memory: number[] = []
    const waits: number[] = []
    for (let sent = 0; sent < 3000 && !isCut(); sent++) {
      const began = performance.now()
      const heard = theirs.received.message.length
      const answer = await mine.send(dialog, long)
      expect(answer.ok).toBe(true)
      await vi.waitFor(() => expect(theirs.received.message.length).toBeGreaterThan(heard), { interval: 1 })
      waits.push(performance.now() - began)
      theirs.received.message.length = heard
      if (sent % 100 === 0) memory.push(process.memoryUsage().rss)
    }
    expect(isCut()).toBe(true)
    // More went to it than it is allowed to make wait, and far less is held for it.
    expect(waits.length).toBeGreaterThan(30)
    expect(Math.max(...memory) - (memory[0] ?? 0)).toBeLessThan(200 * 1024 * 1024)
    // The others: as quick in the end as in the beginning, with room for a busy machine.
    const median = (list: number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0
    const third = Math.floor(waits.length / 3)
    expect(median(waits.slice(-third))).toBeLessThan(3 * median(waits.slice(0, third)) + 20)
    // It may come back and ask for what it has missed.
    const back = await connectChat(app.origin, therapist.token)
    const missed = await back.socket.emitWithAck('after', { chat_dialog_id: dialog, after: 0 })
    expect(missed.ok && missed.messages[0]?.message).toBe(long)
    expect(missed.ok && missed.more).toBe(true)
    back.close()
  } finally {
    slow.close()
    mine.close()
    theirs.close()
    await sleep(50)
  }
})
