import fc from 'fast-check'
import { sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Message } from '#contract/chat/chat.ts'
import { type Database, openServer } from '#server/db/connection.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { insertPairs, type Pair, type Person } from '#test/chat-people.ts'
import { type ChatSocket, connectChat } from '#test/chat-socket.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
import { heldMessages } from '#test/held-messages.ts'
import { appendMessages } from './append.store.ts'

let app: TestApp
let url: string
/** Connections that the app knows nothing of. */
let beside: Database
/** The app's statements that have ended. */
let statements: { sql: string; parameters: readonly unknown[] }[]
const open: ChatSocket[] = []

beforeEach(async () => {
  statements = []
  const made = await clusterDatabase(10, ({ query }) => void statements.push(query))
  ;({ url } = made)
  beside = openServer(url, 4, () => undefined)
  app = await buildTestApp({ database: made.database, rateLimitScale: 1000 })
})
afterEach(async () => {
  for (const socket of open.splice(0)) socket.close()
  await beside.close()
  await app.close()
})

type Talk = Pair & { dialog: string }

async function talks(count: number): Promise<Talk[]> {
  const pairs = await insertPairs(beside.db, count)
  const opened: Talk[] = []
  for (const pair of pairs) {
    const { client, practitionerId } = pair
    const body = { practitioner_id: practitionerId }
    const answer = await app.call('POST', '/chat/dialogs', { token: client.token, body })
    opened.push({ ...pair, dialog: String(answer.body._id) })
  }
  return opened
}

async function connect(to: TestApp, person: Person): Promise<ChatSocket> {
  const socket = await connectChat(to.origin, person.token)
  open.push(socket)
  return socket
}

async function write(person: Person, dialog: string, message: string, id: string = crypto.randomUUID()) {
  const body = { _id: id, chat_dialog_id: dialog, message }
  const answer = await app.call('POST', '/chat/messages', { token: person.token, body })
  return { status: answer.status, code: answer.body.code, seq: (answer.body as Partial<Message>).seq, id }
}

const stored = async (dialog: string) =>
  beside.db
    .selectFrom('chat_messages')
    .select(['id', 'seq'])
    .where('dialog_id', '=', dialog)
    .orderBy('seq')
    .execute()
const endedWith = (words: string) => statements.filter(({ sql: text }) => text.includes(words))
/** How many dialogs each group had. */
const groupsWritten = () =>
  endedWith('skip locked').map(({ parameters }) => (parameters[0] as string[]).length)

/** Waits until so many further calls have been identified, and a little for what follows. */
async function identified(calls: number): Promise<void> {
  const before = endedWith('chat_tokens').length
  await vi.waitFor(() => expect(endedWith('chat_tokens').length).toBeGreaterThanOrEqual(before + calls), {
    timeout: 12_000,
  })
  await sleep(200)
}

/** Sends a first message that is not written before `work` is done, so that all that is sent in it waits. */
async function whileWriting(first: Talk, work: () => Promise<unknown>): Promise<void> {
  const held = await heldMessages(beside.db)
  await held.hold(first.dialog)
  const sent = write(first.client, first.dialog, 'The first one of all.')
  await held.untilWaiting()
  const begun = groupsWritten()
  await work()
  expect(groupsWritten()).toEqual(begun)
  await held.release(first.dialog)
  expect((await sent).status).toBe(201)
}

test('what is wrong with one message of a group does not touch the others', async () => {
  const [first, fine, blocked, suspended, unreadable, rotated, twice, locked, ended, used] = (await talks(
    10,
  )) as [Talk, Talk, Talk, Talk, Talk, Talk, Talk, Talk, Talk, Talk]
  const taken = await write(used.client, used.dialog, 'Before.')
  await write(rotated.client, rotated.dialog, 'Before.')
  await app.call('POST', `/chat/dialogs/${blocked.dialog}/block`, { token: blocked.therapist.token })
  await beside.db
    .updateTable('practitioners')
    .set({ state: 'suspended' })
    .where('id', '=', suspended.practitionerId)
    .execute()
  const newKey = async ({ dialog }: Talk, sealed: (bare: Buffer) => Buffer) => {
    const row = await beside.db
      .selectFrom('chat_dialogs')
      .select('sealed_key')
      .where('id', '=', dialog)
      .executeTakeFirstOrThrow()
    const bare = app.secrets.open('chat dialog key', dialog, row.sealed_key)
    const sealed_key = sealed(bare)
    await beside.db.updateTable('chat_dialogs').set({ sealed_key }).where('id', '=', dialog).execute()
  }
  await newKey(unreadable, (bare) => app.secrets.seal('chat dialog key', 'another dialog', bare))
  await newKey(rotated, (bare) => app.secrets.seal('chat dialog key', rotated.dialog, bare))
  const id = crypto.randomUUID()

  const answers: Record<string, ReturnType<typeof write>> = {}
  let isLocked = true
  const lock = beside.db.transaction().execute(async (tx) => {
    await sql`select from chat_dialogs where id = ${locked.dialog} for update`.execute(tx)
    await vi.waitFor(() => expect(isLocked).toBe(false), { timeout: 12_000, interval: 5 })
  })
  await whileWriting(first, async () => {
    const allIdentified = identified(12)
    answers.one = write(fine.client, fine.dialog, 'One.')
    await sleep(20)
    answers.two = write(fine.therapist, fine.dialog, 'Two.')
    answers.blocked = write(blocked.client, blocked.dialog, 'Are you there?')
    answers.suspended = write(suspended.client, suspended.dialog, 'Are you there?')
    answers.unreadable = write(unreadable.client, unreadable.dialog, 'Is this safe?')
    answers.rotated = write(rotated.client, rotated.dialog, 'With the key of before.')
    answers.once = write(twice.client, twice.dialog, 'Once.', id)
    answers.again = write(twice.client, twice.dialog, 'Once.', id)
    answers.locked = write(locked.client, locked.dialog, 'In my turn.')
    answers.ended = write(ended.client, ended.dialog, 'May I still?')
    answers.used = write(used.client, used.dialog, 'Another text.', taken.id)
    answers.stranger = write(first.client, fine.dialog, 'Let me in.')
    await allIdentified
    await beside.db
      .updateTable('login_sessions')
      .set({ ended_at: new Date() })
      .where('account_id', '=', ended.client.accountId)
      .execute()
  })
  const { locked: inItsTurn, ...others } = answers
  const found: Record<string, unknown> = {}
  for (const [name, answer] of Object.entries(others)) {
    const { status, code, seq } = await answer
    found[name] = code ? [status, code] : [status, seq]
  }
  expect(found).toEqual({
    one: [201, 1],
    two: [201, 2],
    blocked: [409, 'dialog_closed'],
    suspended: [409, 'dialog_closed'],
    unreadable: [500, 'internal_error'],
    rotated: [201, 2],
    once: [201, 1],
    again: [201, 1],
    ended: [401, 'unauthenticated'],
    used: [409, 'conflict'],
    stranger: [404, 'not_found'],
  })
  expect(await stored(locked.dialog)).toEqual([])
  isLocked = false
  await lock
  expect(await inItsTurn).toMatchObject({ status: 201, seq: 1 })
  for (const { dialog } of [blocked, suspended, unreadable, ended]) expect(await stored(dialog)).toEqual([])
  expect(await stored(used.dialog)).toEqual([{ id: taken.id, seq: 1 }])
  // Most of them were written together; those that ended up alone do not count.
  expect(Math.max(...groupsWritten())).toBeGreaterThan(5)
})

test('a connection plans the statement of a group five times, for groups of all sizes', async () => {
  const single = openServer(url, 1, () => undefined)
  const id = () => crypto.randomUUID()
  try {
    for (const size of [1, 1, 2, 1, 1, 200, 1, 3, 1, 1]) {
      const messages = Array.from({ length: size }, () => ({
        dialogId: id(),
        accountId: id(),
        loginSessionId: id(),
        messageId: id(),
        sealedKey: Buffer.alloc(69),
        body: Buffer.alloc(120),
      }))
      const appended = await appendMessages(single.db, messages, new Date())
      expect(new Set(appended)).toEqual(new Set(['locked']))
    }
    const { rows } = await sql<{ custom_plans: number; generic_plans: number }>`
      select custom_plans, generic_plans from pg_prepared_statements where statement like '%skip locked%'`.execute(
      single.db,
    )
    // PostgreSQL looks at five plans before it decides.
    expect(rows).toEqual([{ custom_plans: 5, generic_plans: 5 }])
  } finally {
    await single.close()
  }
})

test('a group that the database refuses is written message by message', async () => {
  const [first, ...others] = (await talks(6)) as [Talk, ...Talk[]]
  const [poisoned] = others
  await sql`
    create function refuse_one() returns trigger language plpgsql as $$
    begin raise exception 'refused' using errcode = 'check_violation'; end $$`.execute(beside.db)
  await sql`
    create trigger refuse_one before insert on chat_messages for each row
    when (new.dialog_id = ${sql.lit(poisoned?.dialog)}) execute function refuse_one()`.execute(beside.db)
  const answers: ReturnType<typeof write>[] = []
  await whileWriting(first, async () => {
    const allIdentified = identified(others.length)
    for (const { client, dialog } of others) answers.push(write(client, dialog, 'Good evening.'))
    await allIdentified
  })
  const statuses = (await Promise.all(answers)).map(({ status }) => status)
  expect(statuses).toEqual([500, 201, 201, 201, 201])
  expect(await stored(poisoned?.dialog ?? '')).toEqual([])
})

test('messages over the bound are refused with the hint to try again, and all others are written', async () => {
  const [first, talk] = (await talks(2)) as [Talk, Talk]
  const socket = await connect(app, talk.client)
  await connect(app, talk.therapist)
  const ids = Array.from({ length: 5000 }, () => crypto.randomUUID())
  const answers: ReturnType<ChatSocket['send']>[] = []
  let refused = 0
  await whileWriting(first, async () => {
    for (const id of ids) answers.push(socket.send(talk.dialog, 'All at once.', id))
    for (const answer of answers) void answer.then(({ ok }) => (refused += ok ? 0 : 1))
    await vi.waitFor(() => expect(refused).toBe(905), { timeout: 12_000 })
  })
  const ended = await Promise.all(answers)
  const codes = ended.flatMap((answer) => (answer.ok ? [] : [answer.error.code]))
  expect(codes).toEqual(Array.from({ length: 905 }, () => 'unavailable'))
  const written = await stored(talk.dialog)
  expect(written).toEqual(ids.slice(0, 4095).map((id, index) => ({ id, seq: index + 1 })))
  // At most 256 in a group.
  expect(groupsWritten()).toHaveLength(1 + Math.ceil(4095 / 256))
  expect((await socket.send(talk.dialog, 'And now?', ids.at(-1))).ok).toBe(true)
})

test('two instances number each dialog without a gap, in the order in which each sender wrote', async () => {
  const other = await buildTestApp({
    database: openServer(url, 10, () => undefined),
    secrets: app.secrets,
    rateLimitScale: 1000,
  })
  try {
    const conversations = await talks(3)
    const sockets = await Promise.all(
      conversations.flatMap(({ client, therapist, dialog }) => [
        connect(app, client).then((socket) => ({ socket, dialog, sender: client.accountId })),
        connect(other, therapist).then((socket) => ({ socket, dialog, sender: therapist.accountId })),
      ]),
    )
    const arrivals = fc.array(fc.record({ by: fc.nat(sockets.length - 1), pause: fc.nat(12) }), {
      minLength: 60,
      maxLength: 120,
    })
    const sent = new Map<string, string[]>()
    await fc.assert(
      fc.asyncProperty(arrivals, async (schedule) => {
        const answers: Promise<unknown>[] = []
        for (const { by, pause } of schedule) {
          const { socket, dialog, sender } = sockets[by] as (typeof sockets)[number]
          const id = crypto.randomUUID()
          sent.set(sender, [...(sent.get(sender) ?? []), id])
          answers.push(socket.send(dialog, `Message ${id}`, id).then(({ ok }) => expect(ok).toBe(true)))
          if (pause > 8) await sleep(pause - 8)
        }
        await Promise.all(answers)
        for (const { dialog } of conversations) {
          const rows = await beside.db
            .selectFrom('chat_messages')
            .select(['id', 'seq', 'sender_id'])
            .where('dialog_id', '=', dialog)
            .orderBy('seq')
            .execute()
          expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1))
          for (const sender of new Set(rows.map(({ sender_id }) => sender_id))) {
            const own = rows.filter(({ sender_id }) => sender_id === sender)
            expect(own.map(({ id }) => id)).toEqual(sent.get(sender))
          }
        }
      }),
      { numRuns: 5 },
    )
  } finally {
    for (const socket of open.splice(0)) socket.close()
    await other.close()
  }
})
