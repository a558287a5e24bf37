import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { days, hours, minutes } from '#server/clock.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  type ChatUser,
  type Client,
  createClient,
  createPractitioner,
  type Practitioner,
  signInAgain,
  signInPractitioner,
  signInToChat,
} from '#test/factories.ts'
import { type ReadMail, readMail, refuseMailsTo } from '#test/mails.ts'

let app: TestApp
let account: Client
let practitioner: Practitioner
let client: ChatUser
let therapist: ChatUser
let dialog: string

beforeEach(async () => {
  app = await buildTestApp()
  account = await createClient(app)
  practitioner = await createPractitioner(app, { firstName: 'Priya', lastName: 'Patel' })
  await app.db.updateTable('accounts').set({ email_verified_at: app.clock.now() }).execute()
  await signIn()
  const opened = await as(client, 'POST', '/chat/dialogs', { practitioner_id: practitioner.id })
  dialog = String(opened.body._id)
  await app.queue.drain()
})
afterEach(() => app.close())

const as = (user: ChatUser, method: string, path: string, body?: unknown) =>
  app.call(method, path, { token: user.token, ...(body === undefined ? {} : { body }) })
const write = (user: ChatUser, message = 'A canary in a cage.') =>
  as(user, 'POST', '/chat/messages', { chat_dialog_id: dialog, message })
const read = (user: ChatUser, up_to: number) =>
  as(user, 'POST', '/chat/messages/read', { chat_dialog_id: dialog, up_to })
/** Both, afresh: what one signs in with holds for some hours alone. */
async function signIn(): Promise<void> {
  account = await signInAgain(app, account)
  client = await signInToChat(app, account.token)
  therapist = await signInToChat(app, await signInPractitioner(app, practitioner))
}

/** The mails about messages that come of time passing, a minute's sweep at its end. */
async function after(time: number): Promise<ReadMail[]> {
  app.clock.advance(time)
  const before = app.mails().length
  for (let sweep = 0; sweep < 2; sweep++) {
    await app.services.unread.sweep()
    await app.queue.drain()
  }
  return app
    .mails()
    .slice(before)
    .map(readMail)
    .filter(({ messageId }) => messageId.startsWith('<unread-'))
}
const to = (mails: ReadMail[]) => mails.map((mail) => mail.to)

test('a message that stays unread for a quarter of an hour is mailed about, without what it says or who wrote it', async () => {
  await write(therapist)
  await write(therapist, 'And another canary.')
  expect(await after(minutes(15) - 1)).toEqual([])
  const mails = await after(1)
  expect(to(mails)).toEqual([account.email])
  const [mail] = mails
  expect(mail?.subject).toBe('You have a message on Hearth')
  expect(mail?.text).toContain(`/sign-in?return_to=${encodeURIComponent(`/chat?dialogId=${dialog}`)}`)
  expect(mail?.whole).not.toMatch(/canary|Priya|Patel/)
  expect(mail?.raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m)
  expect(await after(minutes(30))).toEqual([])
})

test('there is one mail for a dialog and day, and none about what it was about already', async () => {
  await write(therapist)
  expect(await after(minutes(15))).toHaveLength(1)
  await write(therapist)
  expect(await after(hours(23))).toEqual([])
  expect(to(await after(hours(1)))).toEqual([account.email])
  expect(await after(hours(24))).toEqual([])
  // The practitioner's side counts for itself.
  await signIn()
  await write(client)
  expect(to(await after(minutes(15)))).toEqual([practitioner.email])
})

test('what was read meanwhile is not mailed about, and what came after it waits for its own time', async () => {
  await write(therapist)
  app.clock.advance(minutes(10))
  await read(client, 1)
  await write(therapist)
  expect(await after(minutes(14))).toEqual([])
  expect(to(await after(minutes(1)))).toEqual([account.email])
})

test.each(['client', 'practitioner'] as const)(
  'a mail that cannot be written to the %s stops no other, and follows once it can',
  async (who) => {
    await write(therapist)
    await write(client)
    const [refused, other] = who === 'client' ? [account, practitioner] : [practitioner, account]
    const allow = await refuseMailsTo(app.db, who === 'client' ? account.id : practitioner.accountId)
    expect(to(await after(minutes(15)))).toEqual([other.email])
    expect(app.logged()).toContain('mailing about a message')
    await allow()
    expect(to(await after(minutes(1)))).toEqual([refused.email])
  },
)

test('how things stand when it is sent decides', async () => {
  await write(therapist)
  app.clock.advance(minutes(15))
  const before = app.mails().length
  // In the queue already, when it is read.
  await app.services.unread.sweep()
  await read(client, 1)
  await app.queue.drain()
  expect(app.mails().length).toBe(before)
})

test.each(['by the reader', 'by the writer'])(
  'no unread mail is sent about a dialog that is blocked %s',
  async (who) => {
    await write(therapist)
    const one = who === 'by the reader' ? client : therapist
    await as(one, 'POST', `/chat/dialogs/${dialog}/block`)
    expect(await after(minutes(15))).toEqual([])
    await as(one, 'POST', `/chat/dialogs/${dialog}/unblock`)
    expect(to(await after(1))).toEqual([account.email])
  },
)

test('an unread mail that was given up keeps no later one from being sent', async () => {
  await write(therapist)
  app.clock.advance(minutes(15))
  await app.services.unread.sweep()
  // The queue deletes a job some time after its last retry has failed.
  await sql`delete from pgboss.job where name = 'mail.send'`.execute(app.db)
  expect(await after(hours(1))).toEqual([])
  await signIn()
  app.clock.advance(days(2))
  await signIn()
  await write(therapist)
  expect(to(await after(minutes(15)))).toEqual([account.email])
})

test('readers who want no mails keep no others waiting, however many there are', async () => {
  await sql`with people as (
      insert into accounts (id, role, email, first_name, last_name, created_at)
      select gen_random_uuid(), 'client', 'quiet' || n || '@example.test', 'Q', 'Q', ${app.clock.now()}
      from generate_series(1, 500) n returning id
    ), clients as (
      insert into clients (account_id, referral_code) select id, left(id::text, 8) from people
    ), choices as (
      insert into notice_choices (account_id, unread_mail) select id, false from people
    ), dialogs as (
      insert into chat_dialogs (id, client_id, practitioner_id, opened_for, sealed_key, last_seq, active_at, created_at)
      select gen_random_uuid(), p.id, d.practitioner_id, 'enquiry', d.sealed_key, 1, d.active_at, d.created_at
      from people p, chat_dialogs d where d.id = ${dialog} returning id, client_id
    ), members as (
      insert into chat_members (dialog_id, account_id)
      select id, client_id from dialogs union all select id, ${practitioner.accountId}::uuid from dialogs
    )
    insert into chat_messages (dialog_id, seq, id, sender_id, body, sent_at)
    select id, 1, gen_random_uuid(), ${practitioner.accountId}::uuid, decode(repeat('00', 64), 'hex'), ${app.clock.now()} from dialogs`.execute(
    app.db,
  )
  app.clock.advance(1)
  await write(therapist)
  expect(to(await after(minutes(15)))).toEqual([account.email])
})

test('mails can be turned off and on in the account', async () => {
  const choose = (unread_mail: boolean) =>
    app.call('PUT', '/notices', { token: account.token, body: { unread_mail } })
  expect((await choose(false)).body).toEqual({ unread_mail: false, session_reminders: true })
  await write(therapist)
  await write(client)
  expect(to(await after(minutes(15)))).toEqual([practitioner.email])
  await signIn()
  await choose(true)
  expect(to(await after(minutes(1)))).toEqual([account.email])
})

test('one press in the mail turns them off without a sign-in, as mail programs do it and on the page', async () => {
  await write(therapist)
  const [mail] = await after(minutes(15))
  const raw = mail?.raw.replace(/\r?\n[ \t]+/g, ' ') ?? ''
  const url = new URL(/^List-Unsubscribe: ?<([^>]+)>/m.exec(raw)?.[1]?.replaceAll(' ', '') ?? '')
  expect([url.origin, url.pathname]).toEqual(['http://hearth.test', '/unsubscribe'])
  const isOn = async () => (await app.call('GET', '/notices', { token: account.token })).body.unread_mail
  account = await signInAgain(app, account)
  const token = url.searchParams.get('token') ?? ''
  const altered = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BA' : 'AA'}`
  for (const wrong of ['', 'nonsense', altered]) {
    const refused = await fetch(`${app.origin}/unsubscribe?token=${wrong}`, { method: 'POST' })
    expect(refused.status).toBe(422)
  }
  expect(await isOn()).toBe(true)
  const pressed = await fetch(`${app.origin}${url.pathname}${url.search}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  })
  expect(pressed.status).toBe(200)
  expect(await isOn()).toBe(false)
  expect(app.logged()).not.toContain(url.searchParams.get('token'))

  await app.call('PUT', '/notices', { token: account.token, body: { unread_mail: true } })
  const onPage = await app.call('POST', '/notices/unsubscribe', {
    body: { token: url.searchParams.get('token') },
  })
  expect([onPage.status, await isOn()]).toEqual([200, false])
})

test('a mail to an unconfirmed address says only that there is news', async () => {
  await app.db.updateTable('accounts').set({ email_verified_at: null }).execute()
  await write(therapist)
  const [mail] = await after(minutes(15))
  expect(mail?.subject).toBe('There is something new for you on Hearth')
  expect(mail?.text).not.toMatch(/message|written/)
})
