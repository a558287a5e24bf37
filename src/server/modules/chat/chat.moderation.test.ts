import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Dialog, Message } from '#contract/chat/chat.ts'
import type { ChatReport } from '#contract/back-office/chat-reports.ts'
import { hours, minutes, seconds } from '#server/clock.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { connectChat } from '#test/chat-socket.ts'
import {
  type ChatUser,
  createAdmin,
  createClient,
  createPractitioner,
  type Practitioner,
  signInPractitioner,
  signInToChat,
} from '#test/factories.ts'
import { fingerprint } from '#test/fingerprint.ts'

let app: TestApp
let practitioner: Practitioner
let client: ChatUser
let clientEmail: string
let therapist: ChatUser
let stranger: ChatUser
let dialog: string

beforeEach(async () => {
  app = await buildTestApp()
  practitioner = await createPractitioner(app, { firstName: 'Priya', lastName: 'Patel' })
  const account = await createClient(app, { name: 'Alex Morgan' })
  clientEmail = account.email
  client = await signInToChat(app, account.token)
  stranger = await signInToChat(app, (await createClient(app)).token)
  therapist = await signInToChat(app, await signInPractitioner(app, practitioner))
  dialog = await open(client)
})
afterEach(() => app.close())

const as = (user: { token: string }, method: string, path: string, body?: unknown) =>
  app.call(method, path, { token: user.token, ...(body === undefined ? {} : { body }) })
const open = async (user: ChatUser) =>
  String((await as(user, 'POST', '/chat/dialogs', { practitioner_id: practitioner.id })).body._id)
const write = async (user: ChatUser, message: string, to = dialog) => {
  const answer = await as(user, 'POST', '/chat/messages', { chat_dialog_id: to, message })
  return { ...answer, body: answer.body as unknown as Message & { code: string; message: string } }
}
const seenBy = async (user: ChatUser) => {
  const [first] = (await as(user, 'GET', '/chat/dialogs')).body as unknown as Dialog[]
  return first
}
const block = (user: ChatUser, how: 'block' | 'unblock' = 'block') =>
  as(user, 'POST', `/chat/dialogs/${dialog}/${how}`)

describe('a block', () => {
  test('keeps both from writing, and tells the other one no more than that; it can be taken back', async () => {
    await write(client, 'Hello.')
    for (let time = 0; time < 2; time++) {
      const answer = await block(therapist)
      expect([answer.status, answer.body.closed]).toEqual([200, 'blocked_by_you'])
    }
    expect((await seenBy(client))?.closed).toBe('unavailable')
    const refused = await write(client, 'Are you there?')
    expect([refused.status, refused.body.code]).toEqual([409, 'dialog_closed'])
    expect(refused.body.message).not.toMatch(/block/)
    expect((await write(therapist, 'No.')).status).toBe(409)
    expect((await seenBy(client))?.last_seq).toBe(1)

    // One of the two cannot take the other's block back.
    expect((await block(client, 'unblock')).body.closed).toBe('unavailable')
    await block(client)
    expect((await block(therapist, 'unblock')).body.closed).toBe('unavailable')
    expect((await block(client, 'unblock')).body.closed).toBe(null)
    expect((await write(client, 'Are you there?')).status).toBe(201)
  })

  test('keeps each of the two from seeing that the other one is writing', async () => {
    const sockets = [
      await connectChat(app.origin, client.token),
      await connectChat(app.origin, therapist.token),
    ]
    const type = () => {
      for (const { socket } of sockets) socket.emit('typing', { chat_dialog_id: dialog })
    }
    await block(therapist)
    type()
    await Promise.all(sockets.map((each) => each.send(dialog, 'Hello.')))
    await block(therapist, 'unblock')
    for (const { received } of sockets) await expect.poll(() => received.notice).toHaveLength(2)
    expect(sockets.map(({ received }) => received.typing)).toEqual([[], []])
    app.clock.advance(seconds(3))
    type()
    for (const { received } of sockets) await expect.poll(() => received.typing).toHaveLength(1)
    for (const each of sockets) each.close()
  })

  test('keeps each of the two from seeing what the other one reads, until it is lifted', async () => {
    await write(client, 'One.')
    await write(therapist, 'Two.')
    const sockets = [
      await connectChat(app.origin, client.token),
      await connectChat(app.origin, therapist.token),
    ]
    const read = (user: ChatUser) =>
      as(user, 'POST', '/chat/messages/read', { chat_dialog_id: dialog, up_to: 2 })
    const marks = async () => [
      (await seenBy(client))?.other_read_seq,
      (await seenBy(therapist))?.other_read_seq,
    ]
    const before = await marks()
    await block(therapist)
    for (const user of [client, therapist]) {
      expect((await read(user)).body.up_to).toBe(2)
      expect(await seenBy(user)).toMatchObject({ read_seq: 2, unread_messages_count: 0 })
    }
    await block(client)
    await block(therapist, 'unblock')
    expect(await marks()).toEqual(before)
    await Promise.all(sockets.map(({ received }) => expect.poll(() => received.read).not.toEqual([])))
    expect(sockets.map(({ received }) => received.read.map(({ reader_id }) => reader_id))).toEqual([
      [client.id],
      [therapist.id],
    ])
    await block(client, 'unblock')
    expect(await marks()).toEqual([2, 2])
    for (const each of sockets) each.close()
  })

  test('cannot be set or lifted by an account outside the dialog', async () => {
    const before = await fingerprint(app.db)
    for (const how of ['block', 'unblock'] as const) expect((await block(stranger, how)).status).toBe(404)
    expect(await fingerprint(app.db)).toEqual(before)
  })
})

describe('a report', () => {
  const report = (user: ChatUser, body: Record<string, unknown>) =>
    // In any case, as an id of a message.
    as(user, 'POST', `/chat/dialogs/${dialog.toUpperCase()}/report`, body)
  const listed = async (token: string, status = 'open') =>
    (await app.call('GET', `/admin/chat-reports?status=${status}`, { token })).body as unknown as {
      data: ChatReport[]
    }

  test('shows the back office the messages that were attached, no others, and writes down who looked', async () => {
    await write(client, 'A secret that stays.')
    const shown = (await write(therapist, 'A canary in a cage.')).body
    const answer = await report(client, { reason: 'He was rude.', message_ids: [shown._id.toUpperCase()] })
    expect(answer.status).toBe(200)
    const { token } = await createAdmin(app)
    const { data } = await listed(token)
    expect(data).toMatchObject([
      {
        reason: 'He was rude.',
        messages_count: 1,
        reporter: { name: 'Alex Morgan', is: 'client' },
        about: { name: 'Priya Patel', practitioner_id: practitioner.id },
      },
    ])
    expect(JSON.stringify(data)).not.toMatch(/canary|secret/)
    const id = data[0]?.report_id ?? ''
    const look = await app.call('POST', `/admin/chat-reports/${id.toUpperCase()}/look`, { token })
    expect(look.body).toMatchObject([{ message: 'A canary in a cage.', by: 'other' }])
    expect(JSON.stringify(look.body)).not.toContain('secret')
    const settle = () =>
      app.call('POST', `/admin/chat-reports/${id}/settle`, { token, body: { reason: 'Spoke to both.' } })
    expect(data).toMatchObject([{ settled_by: null, settled_reason: null }])
    const done = { status: 'settled', settled_by: 'Ada Admin', settled_reason: 'Spoke to both.' }
    expect((await settle()).body).toMatchObject(done)
    expect((await settle()).body.code).toBe('transition_refused')
    expect((await listed(token)).data).toEqual([])
    expect((await listed(token, 'settled')).data).toMatchObject([done])
    const audit = await app.db
      .selectFrom('audit_log')
      .select(['action', 'subject', 'reason', 'practitioner_id'])
      .orderBy('id')
      .execute()
    const about = { subject: `chat report ${id}`, practitioner_id: practitioner.id }
    expect(audit).toEqual([
      { action: 'look at messages', ...about, reason: null },
      { action: 'settle chat report', ...about, reason: 'Spoke to both.' },
    ])
    // Neither the reason nor the messages can be read in the database or the logs.
    const kept = await app.db.selectFrom('chat_reports').selectAll().executeTakeFirstOrThrow()
    const bytes = Buffer.concat([kept.sealed_reason, kept.sealed_messages ?? Buffer.of()]).toString('latin1')
    expect(`${bytes}${app.logged()}`).not.toMatch(/canary|rude/)
  })

  test('is one at a time, and a practitioner’s as well as a client’s', async () => {
    expect((await report(client, { reason: 'Rude.' })).status).toBe(200)
    const again = await report(client, { reason: 'Still rude.' })
    expect([again.status, again.body.code]).toEqual([409, 'conflict'])
    expect((await report(therapist, { reason: 'They threatened me.' })).status).toBe(200)
    const { token } = await createAdmin(app)
    const { data } = await listed(token)
    expect(data.map(({ reporter }) => reporter.is).toSorted()).toEqual(['client', 'practitioner'])
    // A client has no page in the back office: the email tells namesakes apart.
    expect(data.find(({ reporter }) => reporter.is === 'practitioner')?.about).toEqual({
      name: 'Alex Morgan',
      email: clientEmail,
      practitioner_id: null,
    })
    for (const { report_id: id } of data) {
      await app.call('POST', `/admin/chat-reports/${id}/settle`, { token, body: { reason: 'Looked.' } })
    }
    const own = await app.call('GET', `/admin/audit?practitioner_id=${practitioner.id}`, { token })
    const ofPractitioner = data.find(({ reporter }) => reporter.is === 'client')
    expect(own.body.data).toMatchObject([{ subject: `chat report ${ofPractitioner?.report_id}` }])
  })

  test('takes no message of another dialog, no more than twenty, and no empty reason', async () => {
    const theirs = (await write(stranger, 'Mine alone.', await open(stranger))).body
    const before = await fingerprint(app.db)
    const many = Array.from({ length: 21 }, () => crypto.randomUUID())
    const tried = [
      await report(client, { reason: 'Look.', message_ids: [theirs._id] }),
      await report(client, { reason: 'Look.', message_ids: many }),
      await report(client, { reason: ' ' }),
      await report(stranger, { reason: 'Look.' }),
    ]
    expect(tried.map(({ status }) => status)).toEqual([404, 422, 422, 404])
    const after = await fingerprint(app.db)
    // What was tried is counted.
    expect({ ...after, rate_limits: '' }).toEqual({ ...before, rate_limits: '' })
  })
})

test('a suspension and its end reach the clients who have the chat open, and no other', async () => {
  const [here, elsewhere] = [
    await connectChat(app.origin, client.token),
    await connectChat(app.origin, stranger.token),
  ]
  const { token } = await createAdmin(app)
  const act = (what: string, body?: object) =>
    app.call('POST', `/admin/practitioners/${practitioner.id}/${what}`, { token, body })
  expect((await act('suspend', { reason: 'A complaint.' })).status).toBe(200)
  await expect.poll(() => here.received.notice).toEqual([{ type: 'chat.changed' }])
  expect((await seenBy(client))?.closed).toBe('unavailable')
  expect((await act('reinstate')).status).toBe(200)
  await expect.poll(() => here.received.notice).toHaveLength(2)
  expect((await seenBy(client))?.closed).toBe(null)
  expect(elsewhere.received.notice).toEqual([])
  for (const each of [here, elsewhere]) each.close()
})

test('the dashboard counts who began to write, and the usual time to a first answer', async () => {
  const token = await signInPractitioner(app, practitioner)
  const figures = async () => {
    const { body } = await app.call('GET', '/therapist/home/get-dashboard-overview', { token })
    return [body.enquiries_count, body.response_minutes]
  }
  // Opened, and nothing written.
  expect(await figures()).toEqual([0, null])
  await write(client, 'Hello.')
  expect(await figures()).toEqual([1, null])
  app.clock.advance(minutes(4))
  await write(therapist, 'Hello.')
  const other = await open(stranger)
  await write(stranger, 'Hello.', other)
  app.clock.advance(minutes(6))
  await write(stranger, 'Are you there?', other)
  await write(therapist, 'I am.', other)
  app.clock.advance(hours(1))
  await write(therapist, 'Something else.')
  const again = await signInPractitioner(app, practitioner)
  const { body } = await app.call('GET', '/therapist/home/get-dashboard-overview', { token: again })
  expect([body.enquiries_count, body.response_minutes]).toEqual([2, 5])
})
