import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Dialog, Message } from '#contract/chat/chat.ts'
import { hours, minutes, seconds } from '#server/clock.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  bookSession,
  type ChatUser,
  type Client,
  createClient,
  createPractitioner,
  password,
  type Practitioner,
  signInPractitioner,
  signInToChat,
} from '#test/factories.ts'
import { connectChat } from '#test/chat-socket.ts'
import { fingerprint } from '#test/fingerprint.ts'

let app: TestApp
let account: Client
let practitioner: Practitioner
let client: ChatUser
let therapist: ChatUser

async function begin(options: Parameters<typeof buildTestApp>[0] = {}) {
  app = await buildTestApp(options)
  account = await createClient(app)
  practitioner = await createPractitioner(app, { firstName: 'Priya', lastName: 'Patel' })
  client = await signInToChat(app, account.token)
  therapist = await signInToChat(app, await signInPractitioner(app, practitioner))
}
afterEach(async () => app.close())

const as = (user: { token: string }, method: string, path: string, body?: unknown) =>
  app.call(method, path, { token: user.token, ...(body === undefined ? {} : { body }) })
async function openDialog(user = client): Promise<string> {
  const answer = await as(user, 'POST', '/chat/dialogs', { practitioner_id: practitioner.id })
  expect(answer.status).toBe(200)
  return String(answer.body._id)
}
const send = (user: ChatUser, dialog: string, message: string, _id?: string) =>
  as(user, 'POST', '/chat/messages', { chat_dialog_id: dialog, message, ...(_id ? { _id } : {}) })
const dialogsOf = async (user: ChatUser, query = '') =>
  (await as(user, 'GET', `/chat/dialogs${query}`)).body as unknown as Dialog[]
const messagesOf = async (user: ChatUser, dialog: string, query = '') =>
  (await as(user, 'GET', `/chat/messages?chat_dialog_id=${dialog}${query}`)).body as unknown as Message[]

describe('signing in to the chat', () => {
  beforeEach(() => begin())
  const show = async () => (await app.call('GET', '/client/profile/show', { token: account.token })).body
  const trade = (cc_username: unknown, cc_password: unknown) =>
    app.call('POST', '/chat/session', { body: { cc_username, cc_password } })

  test('takes the password of a profile once, within five minutes, with its own name', async () => {
    const mine = await show()
    expect(mine.cc_id).toBe(account.id)
    expect((await trade(therapist.id, mine.cc_password)).body.code).toBe('invalid_credentials')
    expect((await trade(mine.cc_username, mine.cc_password)).status).toBe(201)
    const again = await trade(mine.cc_username, mine.cc_password)
    expect([again.status, again.body.code]).toEqual([401, 'invalid_credentials'])

    const late = await show()
    app.clock.advance(minutes(5) + 1)
    expect((await trade(late.cc_username, late.cc_password)).status).toBe(401)
  })

  test('keeps no password and no token that could be used', async () => {
    const mine = await show()
    const stored = JSON.stringify([
      await app.db.selectFrom('chat_passwords').selectAll().execute(),
      await app.db.selectFrom('chat_tokens').selectAll().execute(),
    ])
    expect(stored).not.toContain(String(mine.cc_password))
    expect(stored).not.toContain(client.token)
    expect(app.logged()).not.toContain(String(mine.cc_password))
  })

  test('ends with the sign-in that it came from, and after twelve hours', async () => {
    const mine = await show()
    expect((await as(client, 'GET', '/chat/dialogs')).status).toBe(200)
    await app.call('POST', '/client/logout', { token: account.token })
    expect((await as(client, 'GET', '/chat/dialogs')).status).toBe(401)
    expect((await trade(mine.cc_username, mine.cc_password)).status).toBe(401)

    app.clock.advance(hours(12) - minutes(1))
    expect((await as(therapist, 'GET', '/chat/dialogs')).status).toBe(200)
    app.clock.advance(minutes(1) + 1)
    expect((await as(therapist, 'GET', '/chat/dialogs')).status).toBe(401)
  })

  test('has its sockets closed by a sweep when no event announced its end', async () => {
    await app.close()
    await begin({ socketSweepEvery: 100 })
    const [mine, theirs] = [
      await connectChat(app.origin, client.token),
      await connectChat(app.origin, therapist.token),
    ]
    const ended = [mine, theirs].map(({ socket }) => new Promise((done) => socket.once('disconnect', done)))
    await app.db
      .updateTable('login_sessions')
      .set({ ended_at: app.clock.now() })
      .where('account_id', '=', client.id)
      .execute()
    expect(await ended[0]).toBe('io server disconnect')
    // The same sweep leaves the sockets of accounts that are still signed in.
    expect((await theirs.socket.emitWithAck('after', { chat_dialog_id: client.id, after: 0 })).ok).toBe(false)
    expect(theirs.socket.connected).toBe(true)
    app.clock.advance(hours(12))
    expect(await ended[1]).toBe('io server disconnect')
  })

  test('is not for a practitioner who is suspended', async () => {
    const token = await signInPractitioner(app, practitioner)
    const show = () => app.call('GET', '/therapist/profile/show', { token })
    const { body } = await show()
    await app.db.updateTable('practitioners').set({ state: 'suspended' }).execute()
    expect((await as(therapist, 'GET', '/chat/dialogs')).status).toBe(401)
    expect((await trade(body.cc_username, body.cc_password)).body.code).toBe('suspended')
    expect((await show()).body.code).toBe('suspended')
  })
})

describe('a dialog', () => {
  beforeEach(() => begin())

  test('is one for a client and a practitioner, however often and however fast it is opened', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => openDialog()))
    expect(new Set(ids).size).toBe(1)
    expect(await dialogsOf(client)).toHaveLength(1)
  })

  test('is opened by a practitioner with the client of a session of theirs, and by no other way', async () => {
    const book = (who: Client, startsAt: string) => bookSession(app, { practitioner, client: who, startsAt })
    const appointment = await book(account, '2026-06-08T09:00:00Z')
    const other = await createPractitioner(app)
    const otherTherapist = await signInToChat(app, await signInPractitioner(app, other))
    const start = (user: ChatUser, body: object) => as(user, 'POST', '/chat/dialogs', body)
    const refused = [
      await start(otherTherapist, { appointment_id: appointment }),
      await start(therapist, { appointment_id: '00000000-0000-4000-8000-000000000000' }),
      await start(therapist, { practitioner_id: practitioner.id }),
      await start(client, { appointment_id: appointment }),
      await start(client, {}),
    ]
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 422, 422, 422])
    expect(await dialogsOf(therapist)).toEqual([])

    const opened = await start(therapist, { appointment_id: appointment })
    expect([opened.status, opened.body.occupants_ids]).toEqual([200, [client.id, therapist.id]])
    expect((await send(therapist, String(opened.body._id), 'Good morning.')).status).toBe(201)
    expect((await dialogsOf(client))[0]).toMatchObject({ _id: opened.body._id, unread_messages_count: 1 })
    expect(await openDialog()).toBe(opened.body._id)
    // A deleted account cannot be written to.
    const leaver = await createClient(app)
    const theirs = await book(leaver, '2026-06-08T11:00:00Z')
    await app.call('POST', '/appointment/cancel-session', {
      token: leaver.token,
      body: { appointment_id: theirs },
    })
    const left = await app.call('POST', '/client/delete-account', {
      token: leaver.token,
      body: { current_password: password, understood: true },
    })
    expect(left.status).toBe(200)
    expect((await start(therapist, { appointment_id: theirs })).status).toBe(404)
    expect(await dialogsOf(therapist)).toHaveLength(1)
  })

  test('a dialog tells whether its practitioner is still listed', async () => {
    const id = await openDialog()
    await app.db
      .updateTable('practitioners')
      .set({ subscribed_until: app.clock.now() })
      .where('id', '=', practitioner.id)
      .execute()
    const [dialog] = await dialogsOf(client, `?_id=${id}`)
    expect(JSON.parse(dialog?.extensions.practitioner ?? '')).toMatchObject({ listed: false })
    expect(dialog?.closed).toBeNull()
  })

  test('names both members from their accounts and ignores names in the request', async () => {
    await as(client, 'POST', '/chat/dialogs', {
      practitioner_id: practitioner.id,
      extensions: { practitioner: '{"full_name":"Somebody Else"}' },
    })
    const [dialog] = await dialogsOf(therapist)
    expect(dialog).toMatchObject({
      type: 3,
      occupants_ids: [client.id, therapist.id],
      last_message: null,
      last_message_date_sent: null,
      unread_messages_count: 0,
    })
    expect(JSON.parse(dialog?.extensions.client ?? '')).toEqual({
      full_name: 'Alex Morgan',
      main_image: null,
    })
    expect(JSON.parse(dialog?.extensions.practitioner ?? '')).toEqual({
      full_name: 'Priya Patel',
      main_image: null,
      provider_types: [expect.any(String)],
      practitioner_id: practitioner.id,
      listed: true,
    })
    const profile = await app.call('GET', `/practitioner/${practitioner.id}/profile`)
    expect(profile.body.cc_id).toBe(therapist.id)
    const list = await app.call('GET', '/practitioner/get-practitioners')
    expect((list.body.data as unknown as { cc_id: string }[])[0]?.cc_id).toBe(therapist.id)
  })

  test('cannot be opened with a practitioner who is not listed, unless it exists already', async () => {
    const draft = await createPractitioner(app, { state: 'draft' })
    for (const practitioner_id of [draft.id, 2_147_483_647]) {
      expect((await as(client, 'POST', '/chat/dialogs', { practitioner_id })).status).toBe(404)
    }
    const id = await openDialog()
    await app.db.updateTable('practitioners').set({ subscribed_until: null }).execute()
    expect(await openDialog()).toBe(id)
    expect(await dialogsOf(client)).toHaveLength(1)
  })

  test('is a 404 to every other account, by any operation', async () => {
    const dialog = await openDialog()
    await send(client, dialog, 'Between us.')
    const stranger = await signInToChat(app, (await createClient(app)).token)
    const another = await createPractitioner(app)
    const otherTherapist = await signInToChat(app, await signInPractitioner(app, another))
    const nobody = '00000000-0000-4000-8000-000000000000'
    const before = await fingerprint(app.db)
    for (const user of [stranger, otherTherapist]) {
      for (const id of [dialog, nobody]) {
        const operations = [
          await messagesOfRaw(user, id),
          await send(user, id, 'Let me in.'),
          await as(user, 'POST', '/chat/messages/read', { chat_dialog_id: id, up_to: 1 }),
        ]
        for (const answer of operations) expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
      }
      expect(await dialogsOf(user, `?_id=${dialog}`)).toEqual([])
      expect((await as(user, 'GET', '/chat/unread')).body).toEqual({
        unread_messages_count: 0,
        unread_dialogs_count: 0,
      })
    }
    expect(
      (
        await app.call('GET', `/client/${account.id}/get-chat-profile`, {
          token: (await createClient(app)).token,
        })
      ).status,
    ).toBe(404)
    expect(await fingerprint(app.db)).toMatchObject(
      Object.fromEntries(Object.entries(before).filter(([table]) => table.includes('chat_me'))),
    )
  })
  const messagesOfRaw = (user: ChatUser, id: string) => as(user, 'GET', `/chat/messages?chat_dialog_id=${id}`)
})

describe('messages', () => {
  beforeEach(() => begin({ rateLimitScale: 1 }))

  test('come back as typed, in one order for both', async () => {
    const dialog = await openDialog()
    const texts = [
      'Hello, how are you?',
      '  <script>alert("1")</script> & <b>bold</b>\n\ttwo lines  ',
      'مرحبا، كيف حالك؟ \u202Eright to left\u202C',
      '👩🏽‍⚕️🏳️‍🌈 e\u0301 \u{1F600}',
      '𝒳'.repeat(4000),
      'x'.repeat(4000),
    ]
    for (const [index, text] of texts.entries()) {
      const answer = await send(index % 2 ? therapist : client, dialog, text)
      expect(answer.status).toBe(201)
      expect(answer.body).toMatchObject({ seq: index + 1, message: text, chat_dialog_id: dialog })
    }
    const [mine, theirs] = [await messagesOf(client, dialog), await messagesOf(therapist, dialog)]
    expect(mine.map(({ message }) => message)).toEqual(texts)
    expect(theirs).toEqual(mine)
    expect(mine[1]?.sender_id).toBe(therapist.id)
    expect(mine[0]?.date_sent).toBe(Math.floor(app.clock.now().getTime() / 1000))
  })

  test.each([
    ['nothing', ''],
    ['white space', ' \n\t\u00a0\u2003'],
    ['characters without room', '\u200b\u2060\ufeff\u00ad'],
    ['4,001 characters', 'x'.repeat(4001)],
    ['4,001 characters of two units', '𝒳'.repeat(4001)],
    ['a NUL', 'a\u0000b'],
    ['half a pair', 'a\ud800b'],
  ])('of %s are refused, and nothing is written', async (_what, text) => {
    const dialog = await openDialog()
    const answer = await send(client, dialog, text)
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, ['message']])
    expect(await messagesOf(client, dialog)).toEqual([])
  })

  test('are written once however often they are sent', async () => {
    const dialog = await openDialog()
    const id = crypto.randomUUID()
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(client, dialog, 'Once.', id)))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect((await send(client, dialog.toUpperCase(), 'Once.', id.toUpperCase())).body).toEqual(
      answers[0]?.body,
    )
    expect(await messagesOf(therapist, dialog.toUpperCase())).toHaveLength(1)
    // The id is taken: by another text, and for the other one.
    for (const [user, text] of [
      [client, 'Twice.'],
      [therapist, 'Once.'],
    ] as const) {
      const answer = await send(user, dialog, text, id)
      expect([answer.status, answer.body.code]).toEqual([409, 'conflict'])
    }
    expect(await messagesOf(therapist, dialog)).toHaveLength(1)
  })

  test('that are sent again have their reader look, who may not have heard of the first time', async () => {
    const dialog = await openDialog()
    const reader = await connectChat(app.origin, therapist.token)
    const id = crypto.randomUUID()
    await send(client, dialog, 'Once.', id)
    await expect.poll(() => reader.received.message).toHaveLength(1)
    expect(reader.received.notice).toEqual([])
    expect((await send(client, dialog, 'Once.', id)).status).toBe(201)
    await expect.poll(() => reader.received.notice).toEqual([{ type: 'chat.changed' }])
    expect(reader.received.message).toHaveLength(1)
  })

  test('can be read from either end, a hundred at a time', async () => {
    const dialog = await openDialog()
    for (let sent = 0; sent < 130; sent++) {
      if (sent % 50 === 49) app.clock.advance(minutes(2))
      expect((await send(client, dialog, `Message ${sent + 1}`)).status).toBe(201)
    }
    const seqs = async (query: string) => (await messagesOf(therapist, dialog, query)).map(({ seq }) => seq)
    const range = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, index) => from + index)
    expect(await seqs('')).toEqual(range(31, 130))
    expect(await seqs('&sort_asc=date_sent&limit=100')).toEqual(range(31, 130))
    expect(await seqs('&before=31')).toEqual(range(1, 30))
    expect(await seqs('&after=10&limit=5')).toEqual(range(11, 15))
    expect(await seqs('&after=130')).toEqual([])
    expect(await seqs('&limit=3&sort_desc=date_sent')).toEqual([130, 129, 128])
    expect(await seqs('&after=10&before=13')).toEqual([11, 12])
  })

  test('are counted until they are read, and a mark never goes back', async () => {
    const dialog = await openDialog()
    for (const text of ['One', 'Two', 'Three']) await send(client, dialog, text)
    await send(therapist, dialog, 'Four')
    const unread = async (user: ChatUser) => (await dialogsOf(user))[0]?.unread_messages_count
    expect([await unread(therapist), await unread(client)]).toEqual([3, 1])
    const read = async (up_to: number) =>
      (await as(therapist, 'POST', '/chat/messages/read', { chat_dialog_id: dialog, up_to })).body.up_to
    expect(await read(2)).toBe(2)
    expect([await unread(therapist), await unread(client)]).toEqual([1, 1])
    expect(await read(1)).toBe(2)
    expect(await read(2_147_483_647)).toBe(4)
    expect((await dialogsOf(therapist))[0]).toMatchObject({ unread_messages_count: 0, read_seq: 4 })
    expect((await dialogsOf(client))[0]).toMatchObject({ other_read_seq: 4, last_message: 'Four' })
    expect((await as(client, 'GET', '/chat/unread')).body).toEqual({
      unread_messages_count: 1,
      unread_dialogs_count: 1,
    })
  })

  test('of later pages of the list are not lost where the last dialog of a page was deleted meanwhile', async () => {
    const others: string[] = []
    for (const hour of [10, 11]) {
      const account = await createClient(app)
      await bookSession(app, { practitioner, client: account, startsAt: `2026-06-10T${hour}:00:00Z` })
      const other = await signInToChat(app, account.token)
      app.clock.advance(seconds(1))
      others.push(
        String((await as(other, 'POST', '/chat/dialogs', { practitioner_id: practitioner.id })).body._id),
      )
    }
    const page = async (query: string) =>
      ((await as(therapist, 'GET', `/chat/dialogs?limit=1${query}`)).body as unknown as Dialog[]).map(
        ({ _id }) => _id,
      )
    const [newest = '', older = ''] = others.toReversed()
    expect(await page('')).toEqual([newest])
    expect(await page(`&before=${newest}`)).toEqual([older])
    await app.db.deleteFrom('chat_dialogs').where('id', '=', newest).execute()
    expect(await page(`&before=${newest}`)).toEqual([older])
    expect(await page(`&before=${older}`)).toEqual([])
  })

  test('are sixty a minute at most, over all dialogs, and a retry is none', async () => {
    const dialog = await openDialog()
    const id = crypto.randomUUID()
    await send(client, dialog, 'First.', id)
    app.clock.advance(seconds(30))
    for (let sent = 1; sent < 60; sent++) await send(client, dialog, 'Another.')
    const refused = await send(client, dialog, 'One too many.')
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests'])
    expect(refused.headers.get('retry-after')).toBe('30')
    expect((await send(client, dialog, 'First.', id)).status).toBe(201)
    expect((await send(therapist, dialog, 'The other one may.')).status).toBe(201)
    app.clock.advance(seconds(30))
    expect((await send(client, dialog, 'Later.')).status).toBe(201)
    expect((await messagesOf(client, dialog)).length).toBe(62)
  })

  test('leave the indexes of their dialog alone', async () => {
    const dialog = await openDialog()
    await sql`select pg_stat_force_next_flush()`.execute(app.db)
    await sql`select pg_stat_reset()`.execute(app.db)
    for (const user of [client, therapist, client]) {
      app.clock.advance(seconds(1))
      await send(user, dialog, 'Hello')
    }
    await sql`select pg_stat_force_next_flush()`.execute(app.db)
    const { rows } = await sql`
      select n_tup_upd::int as updates, n_tup_hot_upd::int as within_the_page
      from pg_stat_user_tables where relname = 'chat_dialogs'`.execute(app.db)
    expect(rows).toEqual([{ updates: 3, within_the_page: 3 }])
  })

  test('are refused in a dialog that one of the two has blocked, or whose practitioner is suspended', async () => {
    const dialog = await openDialog()
    const block = (how: 'block' | 'unblock') => as(client, 'POST', `/chat/dialogs/${dialog}/${how}`)
    await block('block')
    for (const user of [client, therapist]) {
      const answer = await send(user, dialog, 'Anybody there?')
      expect([answer.status, answer.body.code]).toEqual([409, 'dialog_closed'])
    }
    expect((await dialogsOf(client))[0]?.closed).toBe('blocked_by_you')
    expect((await dialogsOf(therapist))[0]?.closed).toBe('unavailable')
    await block('unblock')
    await app.db.updateTable('practitioners').set({ state: 'suspended' }).execute()
    expect((await send(client, dialog, 'Anybody there?')).body.code).toBe('dialog_closed')
    expect(await messagesOf(client, dialog)).toEqual([])
  })
})
