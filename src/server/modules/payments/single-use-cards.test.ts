import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hours, minutes, seconds } from '#server/clock.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  bookSession,
  cards,
  type Client,
  createClient,
  createPractitioner,
  type Practitioner,
  saveCard,
  signInAgain,
} from '#test/factories.ts'
import { refuseRows } from '#test/refused-rows.ts'

let app: TestApp
let client: Client
let practitioner: Practitioner
/** The cards that were removed at the gateway. */
let forgotten: string[]

beforeEach(async () => {
  forgotten = []
  app = await buildTestApp({
    gateway: (sandbox) => ({
      ...sandbox,
      async removeCard(token) {
        forgotten.push(token)
        return sandbox.removeCard(token)
      },
    }),
  })
  client = await createClient(app)
  practitioner = await createPractitioner(app)
})
afterEach(() => app.close())

const addCard = async (more: Record<string, unknown> = {}) => {
  const { status, body } = await app.call('POST', '/payment/sandbox/add-new-card', {
    token: client.token,
    body: { card_number: cards.succeeds, expiry_month: 12, expiry_year: 2034, cvv_number: '123', ...more },
  })
  expect(status).toBe(201)
  return String(body.customer_id)
}
const listed = async () => {
  const { body } = await app.call('GET', '/payment/sandbox/get-client-cards', { token: client.token })
  return body as unknown as { customer_id: string; declined: boolean }[]
}
const hold = async (datetime: string, of = practitioner) => {
  const { body } = await app.call('POST', '/appointment/create-session', {
    token: client.token,
    body: {
      practitioner_id: of.id,
      booking_type: 'schedule',
      service_id: 1,
      appointment_type: 'online',
      datetime,
    },
  })
  return String(body.session_id)
}
const pay = (session: string, card: string) =>
  app.call('POST', '/payment/sandbox/existing-card-payment', {
    token: client.token,
    body: { session_id: session, customer_id: card },
  })
const removed = async (card: string) => {
  const row = await app.db
    .selectFrom('payment_methods')
    .select('removed_at')
    .where('id', '=', card)
    .executeTakeFirstOrThrow()
  return row.removed_at !== null
}
const sweep = async () => {
  await app.services.payments.recoverNow({ andSoon: false })
  await app.queue.drain()
}

test('a card for one session is not listed, pays that session alone, and is removed after it, at the gateway too', async () => {
  const card = await addCard({ remember: false })
  expect(await listed()).toEqual([])
  const first = await hold('2026-06-08T09:00:00Z')
  expect((await pay(first, card)).status).toBe(200)
  // A second slot of the same practitioner would cancel the first hold.
  const other = await hold('2026-06-09T09:00:00Z', await createPractitioner(app))
  expect((await pay(other, card)).status).toBe(404)
  const booked = await app.call('POST', '/appointment/instant-book', {
    token: client.token,
    body: { appointment_id: first },
  })
  expect(booked.body).toMatchObject({ status: 'confirmed' })
  await sweep()
  expect(await removed(card)).toBe(true)
  expect(forgotten).toHaveLength(1)
  expect((await pay(other, card)).status).toBe(404)
  // A refund still goes to the removed card.
  await app.call('POST', '/appointment/cancel-session', {
    token: client.token,
    body: { appointment_id: first },
  })
  const refunds = await app.db.selectFrom('refunds').select(['state', 'amount_pence']).execute()
  expect(refunds).toEqual([{ state: 'succeeded', amount_pence: 6000 }])
})

test('a card for one session that is never paid is removed within the hour, and no other card is', async () => {
  const kept = await addCard()
  const card = await addCard({ remember: false })
  const session = await hold('2026-06-08T09:00:00Z')
  await pay(session, card)
  app.clock.advance(minutes(9))
  await sweep()
  expect(await removed(card)).toBe(false)
  app.clock.advance(hours(1))
  await app.services.bookings.sweep()
  await sweep()
  expect([await removed(card), await removed(kept)]).toEqual([true, false])
  expect(forgotten).toHaveLength(1)
})

test('a card that cannot be removed just now stops no other, and is removed later', async () => {
  const stuck = await addCard({ remember: false })
  const card = await addCard({ remember: false })
  app.clock.advance(hours(2))
  const when = sql`new.id = ${sql.lit(stuck)}`
  const allow = await refuseRows(app.db, { table: 'payment_methods', before: 'update', when })
  await sweep()
  expect([await removed(stuck), await removed(card)]).toEqual([false, true])
  expect(forgotten).toHaveLength(1)
  await allow()
  await sweep()
  expect(await removed(stuck)).toBe(true)
  expect(forgotten).toHaveLength(2)
})

test('a card whose first payment is declined is not kept; one that has paid before is marked until it pays again', async () => {
  const poor = await addCard({ card_number: cards.insufficientFunds })
  const session = await hold('2026-06-08T09:00:00Z', await createPractitioner(app))
  expect((await pay(session, poor)).status).toBe(402)
  expect(await listed()).toEqual([])
  await app.queue.drain()
  expect(forgotten).toHaveLength(1)

  const card = await saveCard(app, client)
  await bookSession(app, { practitioner, client, card, startsAt: '2026-06-09T09:00:00Z' })
  const bank = (behaviour: string) =>
    app.db.updateTable('sandbox_gateway.cards').set({ behaviour }).where('last4', '=', '4242').execute()
  await bank('card_declined')
  expect((await pay(session, card)).status).toBe(402)
  expect(await listed()).toMatchObject([{ customer_id: card, declined: true }])
  await bank('succeeds')
  client = await signInAgain(app, client)
  expect((await pay(session, card)).status).toBe(200)
  expect(await listed()).toMatchObject([{ customer_id: card, declined: false }])
})

test('a card whose bank could not recognise the person stays as it was', async () => {
  const card = await addCard()
  const session = await hold('2026-06-08T09:00:00Z')
  await app.db.updateTable('sandbox_gateway.cards').set({ behaviour: 'authentication_failed' }).execute()
  expect((await pay(session, card)).status).toBe(402)
  expect(await listed()).toMatchObject([{ customer_id: card, declined: false }])
})

test('an eleventh new card of a client within an hour is refused, and reaches no gateway', async () => {
  await app.close()
  let saved = 0
  app = await buildTestApp({
    rateLimitScale: 1,
    gateway: (sandbox) => ({
      ...sandbox,
      saveCard: async (card, owner) => {
        saved++
        return sandbox.saveCard(card, owner)
      },
    }),
  })
  client = await createClient(app)
  const other = await createClient(app)
  const add = (who: Client, card_number: string) =>
    app.call('POST', '/payment/sandbox/add-new-card', {
      token: who.token,
      body: { card_number, expiry_month: 12, expiry_year: 2034, cvv_number: '123' },
    })
  // Numbers that the gateway refuses count as well: a thief tries many.
  for (let time = 0; time < 9; time++) expect((await add(client, '4111111111111112')).status).toBe(422)
  expect((await add(client, cards.succeeds)).status).toBe(201)
  const reached = saved
  const refused = await add(client, cards.alsoSucceeds)
  expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests'])
  const wait = Number(refused.headers.get('retry-after'))
  expect(wait).toBeGreaterThan(0)
  expect([saved, (await listed()).length]).toEqual([reached, 1])
  expect((await add(other, cards.succeeds)).status).toBe(201)
  app.clock.advance(seconds(wait))
  client = await signInAgain(app, client)
  expect((await add(client, cards.alsoSucceeds)).status).toBe(201)
})
