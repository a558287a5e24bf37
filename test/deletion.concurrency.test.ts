import { type RawBuilder, sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { minutes } from '#server/clock.ts'
import { type Answer, buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { clusterDatabase, untilOneWaits } from '#test/cluster-database.ts'
import {
  bookSession,
  cards,
  type Client,
  createClient,
  createPractitioner,
  ledger,
  openChat,
  type Practitioner,
  password,
  saveCard,
} from '#test/factories.ts'

let app: TestApp
/** Cards that the gateway has, by its own name for them. */
let atGateway: Set<string>

beforeEach(async () => {
  atGateway = new Set()
  const { database } = await clusterDatabase()
  app = await buildTestApp({
    database,
    gateway: (sandbox) => ({
      ...sandbox,
      async saveCard(card, owner) {
        const saved = await sandbox.saveCard(card, owner)
        atGateway.add(saved.token)
        return saved
      },
      async removeCard(token) {
        await sandbox.removeCard(token)
        atGateway.delete(token)
      },
    }),
  })
})
afterEach(async () => app.close())

const post = (path: string, body: unknown, token?: string, headers: Record<string, string> = {}) =>
  app.call('POST', path, { body, token, headers })
const leave = (client: Client) =>
  post('/client/delete-account', { current_password: password, understood: true }, client.token)
const hold = (client: Client, practitioner: Practitioner, startsAt: string) =>
  post(
    '/appointment/create-session',
    {
      practitioner_id: practitioner.id,
      booking_type: 'schedule',
      service_id: 1,
      appointment_type: 'online',
      datetime: startsAt,
    },
    client.token,
    { 'idempotency-key': crypto.randomUUID() },
  )
const pay = (client: Client, sessionId: unknown, card: string) =>
  post('/payment/sandbox/existing-card-payment', { session_id: sessionId, customer_id: card }, client.token)

/** How much there is of a client, table by table. */
async function leftOf(id: string) {
  const { rows } = await sql<Record<string, number>>`
    select (select count(*) from accounts where id = ${id} and deleted_at is null)::int as living,
      (select count(*) from login_sessions where account_id = ${id})::int as sign_ins,
      (select count(*) from mail_tokens where account_id = ${id})::int as links,
      (select count(*) from idempotency_keys where account_id = ${id})::int as keys,
      (select count(*) from payment_methods where account_id = ${id})::int as cards,
      (select count(*) from reservations where client_id = ${id})::int as times,
      (select count(*) from appointments where client_id = ${id})::int as sessions,
      (select count(*) from payment_intents i join appointments a on a.id = i.appointment_id
        where a.client_id = ${id})::int as payments`.execute(app.db)
  return rows[0]
}
const nothing = {
  living: 0,
  sign_ins: 0,
  links: 0,
  keys: 0,
  cards: 0,
  times: 0,
  sessions: 0,
  payments: 0,
}

test('a deleted account keeps no records or money, even with concurrent calls', async () => {
  const practitioners = await Promise.all([1, 2, 3].map(() => createPractitioner(app)))
  const [first, second, third] = practitioners as [Practitioner, Practitioner, Practitioner]
  const outcomes = { deleted: 0, refused: 0 }
  for (let round = 0; round < 12; round++) {
    const client = await createClient(app)
    const card = await saveCard(app, client)
    const held = await hold(client, first, '2026-06-08T09:00:00Z')
    expect(held.status).toBe(201)
    const others: (() => Promise<Answer>)[] = [
      () => hold(client, second, '2026-06-08T11:00:00Z'),
      () => hold(client, third, '2026-06-08T13:00:00Z'),
      () =>
        post(
          '/payment/sandbox/add-new-card',
          { card_number: cards.alsoSucceeds, expiry_month: 12, expiry_year: 2034, cvv_number: '123' },
          client.token,
          { 'idempotency-key': `card ${round}` },
        ),
      () => post('/client/login', { email: client.email, password }),
      () => post('/client/refresh-token', { refresh_token: client.refreshToken }),
      () => post('/client/forgot-password', { email: client.email }),
      () => app.call('PUT', '/client/profile', { token: client.token, body: { name: 'Somebody Else' } }),
      () =>
        post(
          '/client/change-email',
          { email: `new${round}@example.test`, current_password: password },
          client.token,
        ),
      () => post('/appointment/cancel-session', { appointment_id: held.body.session_id }, client.token),
      // In every other round, money may come under way: then one of the two has to wait.
      ...(round % 2 === 0 ? [] : [() => pay(client, held.body.session_id, card)]),
    ]
    // The deletion hashes a password first, and so comes somewhere in the middle of the others.
    const deleting = leave(client)
    const answers = await Promise.all(
      others.map(async (other, index) => {
        await new Promise((resolve) => setTimeout(resolve, (index * 7 + round * 3) % 60))
        return other()
      }),
    )
    const deletion = await deleting
    expect(answers.filter((answer) => answer.status >= 500).map((answer) => answer.body)).toEqual([])
    await app.queue.drain()
    if (deletion.status === 200) {
      outcomes.deleted++
      // An authorisation that lost may still be on its way back; then it has come to rest.
      app.clock.advance(minutes(3))
      await app.services.bookings.sweep()
      await app.services.payments.recover()
      expect([round, await leftOf(client.id)]).toEqual([round, nothing])
      expect([round, atGateway.size]).toEqual([round, 0])
    } else {
      outcomes.refused++
      expect([round, deletion.status, deletion.body.code]).toEqual([round, 409, 'not_deletable'])
      expect(await leftOf(client.id)).toMatchObject({ living: 1 })
      expect((await app.call('GET', '/client/profile', { token: client.token })).status).toBe(200)
      atGateway.clear()
      app.clock.advance(minutes(21))
      await app.services.bookings.sweep()
      await app.services.payments.recover()
    }
    app.clock.set('2026-06-01T08:00:00Z')
  }
  expect(outcomes.deleted).toBeGreaterThan(5)
  expect(await ledger(app)).toEqual({})
})

test('a deletion is refused, and the session booked, when a paid session is confirmed at the same moment', async () => {
  const practitioner = await createPractitioner(app)
  for (let round = 0; round < 8; round++) {
    const client = await createClient(app)
    const card = await saveCard(app, client)
    const startsAt = `2026-06-${String(8 + round).padStart(2, '0')}T09:00:00Z`
    const held = await hold(client, practitioner, startsAt)
    expect((await pay(client, held.body.session_id, card)).status).toBe(200)
    const [deletion, booked] = await Promise.all([
      leave(client),
      new Promise((resolve) => setTimeout(resolve, round * 8)).then(() =>
        post('/appointment/instant-book', { appointment_id: held.body.session_id }, client.token),
      ),
    ])
    // Paid for, the session stands in the way, whichever came first.
    expect([round, deletion.status, deletion.body.code]).toEqual([round, 409, 'not_deletable'])
    expect([round, booked.status]).toEqual([round, 200])
    expect(await leftOf(client.id)).toMatchObject({ living: 1, sessions: 1, payments: 1 })
  }
  expect((await ledger(app)).gateway_balance).toBe(8 * 6000)
})

test('of ten deletions at once one is carried out, and one mail is sent', async () => {
  const client = await createClient(app)
  const practitioner = await createPractitioner(app)
  await bookSession(app, { practitioner, client, startsAt: '2026-06-01T10:00:00Z' })
  app.clock.set('2026-06-01T10:50:00Z')
  const again = await post('/client/login', { email: client.email, password })
  const signedIn = { ...client, token: String(again.body.token) }
  await app.queue.drain()
  const before = app.mails().length
  const answers = await Promise.all(Array.from({ length: 10 }, () => leave(signedIn)))
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
  for (const answer of answers) expect([200, 401]).toContain(answer.status)
  await app.queue.drain()
  expect(
    app
      .mails()
      .slice(before)
      .filter((mail) => mail.includes(client.email)),
  ).toHaveLength(1)
  expect(await leftOf(client.id)).toEqual({ ...nothing, cards: 1, times: 1, sessions: 1, payments: 1 })
  expect((await ledger(app)).gateway_balance).toBe(6000)
})

test('a call that comes between answers that its sign-in has ended, or that what it names is gone', async () => {
  const { client, therapist, dialog } = await openChat(app)
  const own = (await createClient(app)).token
  const profile = await meanwhile(
    sql`delete from login_sessions s using accounts a where a.id = s.account_id and a.role = 'client'`,
    () => app.call('GET', '/client/profile/show', { token: own }),
  )
  const report = await meanwhile(sql`delete from chat_dialogs where client_id = ${client.id}`, () =>
    post(`/chat/dialogs/${dialog}/report`, { reason: 'Please look at this.' }, therapist.token),
  )
  expect([profile, report].map(({ status, body }) => [status, body.code])).toEqual([
    [401, 'unauthenticated'],
    [409, 'changed_elsewhere'],
  ])
  expect(await app.db.selectFrom('chat_reports').select('id').execute()).toEqual([])
})

/** What a call answers that waits for a deletion, and goes on after it. */
async function meanwhile(deletion: RawBuilder<unknown>, call: () => Promise<Answer>): Promise<Answer> {
  const done = Promise.withResolvers<void>()
  const deleted = Promise.withResolvers<void>()
  const deleting = app.db.transaction().execute(async (tx) => {
    await deletion.execute(tx)
    deleted.resolve()
    await done.promise
  })
  await deleted.promise
  const answer = call()
  await untilOneWaits(app.db)
  done.resolve()
  await deleting
  return answer
}
