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

const groupsAtOnce = 4
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

async function talksFor<N extends string>(...names: N[]): Promise<Record<N, Talk>> {
  const opened = await talks(names.length)
  return Object.fromEntries(names.map((name, index) => [name, opened[index]])) as Record<N, Talk>
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
  endedWith('skip locked').map(({ parameters: [first] }) => (Array.isArray(first) ? first.length : 1))

/** Waits until so many further calls have been identified, and a little for what follows. */
async function identified(calls: number): Promise<void> {
  const before = endedWith('chat_tokens').length
  await vi.waitFor(() => expect(endedWith('chat_tokens').length).toBeGreaterThanOrEqual(before + calls), {
    timeout: 12_000,
  })
  await sleep(200)
}

/**
 * Sends first messages, as many as there are groups at a time, that are not written before `work` is done, so that all
 * that is sent in it waits.
 */
async function whileWriting(firsts: readonly Talk[], work: () => Promise<unknown>): Promise<void> {
  const held = await heldMessages(beside.db)
  for (const { dialog } of firsts) await held.hold(dialog)
  const sent = firsts.map(({ client, dialog }) => write(client, dialog, 'The first one of all.'))
  await held.untilWaiting(groupsAtOnce)
  const begun = groupsWritten()
  await work()
  expect(groupsWritten()).toEqual(begun)
  for (const { dialog } of firsts) await held.release(dialog)
  for (const answer of sent) expect((await answer).status).toBe(201)
}

test('what is wrong with one message of a group does not touch the others', async () => {
  const firsts = await talks(groupsAtOnce)
  const { fine, blocked, suspended, unreadable, rotated, twice, locked, ended, used } = await talksFor(
    'fine',
    'blocked',
    'suspended',
    'unreadable',
    'rotated',
    'twice',
    'locked',
    'ended',
    'used',
  )
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
  await whileWriting(firsts, async () => {
    const firstIdentified = identified(1)
    answers.one = write(fine.client, fine.dialog, 'One.')
    await firstIdentified
    const allIdentified = identified(11)
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
    answers.stranger = write(used.client, fine.dialog, 'Let me in.')
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

test('a message by itself is appended, refused or locked as one in a group', async () => {
  const { fine, unused, blocked, left, suspended, used, ended, locked } = await talksFor(
    'fine',
    'unused',
    'blocked',
    'left',
    'suspended',
    'used',
    'ended',
    'locked',
  )
  const { id: usedId } = await write(used.client, used.dialog, 'Before.')
  await app.call('POST', `/chat/dialogs/${blocked.dialog}/block`, { token: blocked.client.token })
  await app.call('POST', `/chat/dialogs/${left.dialog}/block`, { token: left.therapist.token })
  await beside.db
    .updateTable('practitioners')
    .set({ state: 'suspended' })
    .where('id', '=', suspended.practitionerId)
    .execute()
  const question = async ({ client, dialog }: Talk, by: Person = client) => {
    const { sealed_key } = await beside.db
      .selectFrom('chat_dialogs')
      .select('sealed_key')
      .where('id', '=', dialog)
      .executeTakeFirstOrThrow()
    const { id: loginSessionId } = await beside.db
      .selectFrom('login_sessions')
      .select('id')
      .where('account_id', '=', by.accountId)
      .executeTakeFirstOrThrow()
    const message = {
      dialogId: dialog,
      accountId: by.accountId,
      loginSessionId,
      messageId: crypto.randomUUID(),
    }
    return { ...message, sealedKey: sealed_key, body: Buffer.alloc(120) }
  }
  const others = {
    blocked: await question(blocked),
    left: await question(left),
    suspended: await question(suspended),
    used: { ...(await question(used)), messageId: usedId },
    ended: await question(ended),
    stranger: await question(unused, used.client),
    'another key': { ...(await question(unused)), sealedKey: Buffer.alloc(69) },
    'no dialog': { ...(await question(unused)), dialogId: crypto.randomUUID() },
    locked: await question(locked),
  }
  await beside.db
    .updateTable('login_sessions')
    .set({ ended_at: new Date() })
    .where('account_id', '=', ended.client.accountId)
    .execute()

  await beside.db.transaction().execute(async (tx) => {
    await sql`select from chat_dialogs where id = ${locked.dialog} for update`.execute(tx)
    for (const [name, message] of Object.entries(others)) {
      const beyond = await question(fine)
      const isLocked = name === 'locked' || name === 'no dialog'
      const outcome = isLocked ? 'locked' : 'refused'
      expect([name, await appendMessages(app.db, [message], new Date())]).toEqual([name, [outcome]])
      const [inGroup, accepted] = await appendMessages(app.db, [message, beyond], new Date())
      expect([name, inGroup]).toEqual([name, outcome])
      expect(accepted).toMatchObject({ other_id: fine.therapist.accountId })
    }
  })
  for (const { dialog } of [unused, blocked, left, suspended, ended, locked]) {
    expect(await stored(dialog)).toEqual([])
  }
  expect(await stored(used.dialog)).toEqual([{ id: usedId, seq: 1 }])
  const byTherapist = await question(unused, unused.therapist)
  const sentAt = new Date('2026-03-02T10:00:00Z')
  const appended = await appendMessages(app.db, [byTherapist], sentAt)
  expect(appended).toEqual([{ seq: 1, other_id: unused.client.accountId }])
  expect(await stored(unused.dialog)).toEqual([{ id: byTherapist.messageId, seq: 1 }])
  const active = beside.db.selectFrom('chat_dialogs').select(['last_seq', 'active_at'])
  expect(await active.where('id', '=', unused.dialog).execute()).toEqual([{ last_seq: 1, active_at: sentAt }])
})

test('a connection plans each statement that appends five times, for groups of all sizes', async () => {
  const single = openServer(url, 1, () => undefined)
  const id = () => crypto.randomUUID()
  try {
    for (const size of [2, 2, 3, 2, 1, 2, 200, 1, 2, 4, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1]) {
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
    expect(rows).toEqual([
      { custom_plans: 5, generic_plans: 5 },
      { custom_plans: 5, generic_plans: 5 },
    ])
  } finally {
    await single.close()
  }
})

test('a group that the database refuses is written message by message', async () => {
  const firsts = await talks(groupsAtOnce)
  const others = await talks(5)
  const [poisoned] = others
  await sql`
    create function refuse_one() returns trigger language plpgsql as $$
    begin raise exception 'refused' using errcode = 'check_violation'; end $$`.execute(beside.db)
  await sql`
    create trigger refuse_one before insert on chat_messages for each row
    when (new.dialog_id = ${sql.lit(poisoned?.dialog)}) execute function refuse_one()`.execute(beside.db)
  const answers: ReturnType<typeof write>[] = []
  await whileWriting(firsts, async () => {
    const allIdentified = identified(others.length)
    for (const { client, dialog } of others) answers.push(write(client, dialog, 'Good evening.'))
    await allIdentified
  })
  const statuses = (await Promise.all(answers)).map(({ status }) => status)
  expect(statuses).toEqual([500, 201, 201, 201, 201])
  expect(await stored(poisoned?.dialog ?? '')).toEqual([])
})

test('messages over the bound are refused with the hint to try again, and all others are written', async () => {
  const firsts = await talks(groupsAtOnce)
  const { talk } = await talksFor('talk')
  const socket = await connect(app, talk.client)
  await connect(app, talk.therapist)
  const ids = Array.from({ length: 5000 }, () => crypto.randomUUID())
  const answers: ReturnType<ChatSocket['send']>[] = []
  let refused = 0
  await whileWriting(firsts, async () => {
    for (const id of ids) answers.push(socket.send(talk.dialog, 'All at once.', id))
    for (const answer of answers) void answer.then(({ ok }) => (refused += ok ? 0 : 1))
    await vi.waitFor(() => expect(refused).toBe(908), { timeout: 12_000 })
  })
  const ended = await Promise.all(answers)
  const codes = ended.flatMap((answer) => (answer.ok ? [] : [answer.error.code]))
  expect(codes).toEqual(Array.from({ length: 908 }, () => 'unavailable'))
  const written = await stored(talk.dialog)
  expect(written).toEqual(ids.slice(0, 4092).map((id, index) => ({ id, seq: index + 1 })))
  // At most 256 in a group.
  expect(groupsWritten()).toHaveLength(groupsAtOnce + Math.ceil(4092 / 256))
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
