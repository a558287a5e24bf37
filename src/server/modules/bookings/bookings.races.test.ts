import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { minutes } from '#server/clock.ts'
import type { PaymentGateway } from '#server/integrations/payment-gateway/port.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
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

const monday = '2026-06-08T09:00:00.000Z'
const later = '2026-06-09T13:00:00.000Z'
const threePrices = [
  { service_id: 1, appointment_type: 'online' as const, duration_minutes: 50, fee_pence: 6000 },
  { service_id: 1, appointment_type: 'face_to_face' as const, duration_minutes: 50, fee_pence: 8000 },
  { service_id: 2, appointment_type: 'online' as const, duration_minutes: 50, fee_pence: 10_000 },
]

let app: TestApp
let client: Client
let practitioner: Practitioner

const post = (path: string, body: unknown, who = client, headers: Record<string, string> = {}) =>
  app.call('POST', path, { token: who.token, body, headers })
const hold = (body: Record<string, unknown> = {}, who = client) =>
  post(
    '/appointment/create-session',
    {
      practitioner_id: practitioner.id,
      booking_type: 'schedule',
      service_id: 1,
      appointment_type: 'online',
      datetime: monday,
      ...body,
    },
    who,
  )
const draft = (fee: number, who = client) =>
  post(
    '/appointment/create-session',
    { practitioner_id: practitioner.id, booking_type: 'schedule', fee },
    who,
  )
const pay = (session: unknown, card: string, who = client) =>
  post('/payment/sandbox/existing-card-payment', { session_id: session, customer_id: card }, who)
const book = (id: unknown, body: Record<string, unknown> = {}, who = client) =>
  post('/appointment/instant-book', { appointment_id: id, ...body }, who)
const edit = (id: string, body: Record<string, unknown>) =>
  post('/appointment/edit-session', { appointment_id: id, ...body })
const intents = async (id: unknown) =>
  (
    await app.db
      .selectFrom('payment_intents')
      .select(['purpose', 'state', 'amount_pence'])
      .where('appointment_id', '=', String(id))
      .orderBy('created_at')
      .orderBy('id')
      .execute()
  ).map((row) => `${row.purpose} ${row.state} ${row.amount_pence}`)
const feeOf = async (id: unknown) =>
  await app.db
    .selectFrom('appointments')
    .select(['fee_pence', 'discount_pence'])
    .where('id', '=', String(id))
    .executeTakeFirstOrThrow()

describe('with one connection', () => {
  let captureFails = false
  let gate: ((step: string) => Promise<void>) | undefined
  beforeEach(async () => {
    captureFails = false
    gate = undefined
    app = await buildTestApp({
      gateway: (sandbox): PaymentGateway => ({
        ...sandbox,
        capture: async (ref) => {
          if (captureFails) throw new Error('out of reach')
          return sandbox.capture(ref)
        },
      }),
      checkpoint: async (step) => gate?.(step),
    })
    client = await createClient(app)
    practitioner = await createPractitioner(app, { services: threePrices })
  })
  afterEach(async () => app.close())

  test('a second dearer change while the first is still being captured is paid too', async () => {
    const card = await saveCard(app, client)
    const id = await bookSession(app, { practitioner, client, startsAt: monday, card })
    captureFails = true
    const first = await edit(id, { type: 'face_to_face', appointment_datetime: later, customer_id: card })
    expect(first.body).toMatchObject({ fee: 80 })
    const second = await edit(id, {
      type: 'online',
      service_id: 2,
      appointment_datetime: monday,
      customer_id: card,
    })
    captureFails = false
    app.clock.advance(minutes(1))
    await app.services.bookings.sweep()
    await app.services.payments.recover()
    const paid = (await intents(id)).filter((line) => line.includes('captured'))
    const total = paid.reduce((sum, line) => sum + Number(line.split(' ')[2]), 0)
    const { fee_pence } = await feeOf(id)
    expect({ status: second.status, fee_pence }).toEqual({ status: second.status, fee_pence: total })
  })

  test('of two changes at once, the one carried out is the one whose difference is charged', async () => {
    const card = await saveCard(app, client)
    const id = await bookSession(app, { practitioner, client, startsAt: monday, card })
    const firstPaid = Promise.withResolvers<void>()
    const secondPaid = Promise.withResolvers<void>()
    const firstDone = Promise.withResolvers<void>()
    let arrivals = 0
    gate = async (step) => {
      if (step !== 'change paid') return
      arrivals += 1
      if (arrivals === 1) {
        firstPaid.resolve()
        await secondPaid.promise
      } else {
        secondPaid.resolve()
        await firstDone.promise
      }
    }
    const first = edit(id, { type: 'face_to_face', appointment_datetime: later, customer_id: card })
    await firstPaid.promise
    const second = edit(id, { type: 'online', service_id: 2, appointment_datetime: later, customer_id: card })
    await first
    firstDone.resolve()
    await second
    const paid = (await intents(id)).filter((line) => line.includes('captured'))
    const total = paid.reduce((sum, line) => sum + Number(line.split(' ')[2]), 0)
    expect((await feeOf(id)).fee_pence).toBe(total)
  })

  test('two discounted drafts of one client: the second is answered, not failed', async () => {
    const referred = await createClient(app, { referral_code: client.referralCode })
    const [one, two] = [await draft(48, referred), await draft(48, referred)]
    expect([one.body.fee, two.body.fee]).toEqual([48, 48])
    await pay(one.body.session_id, await saveCard(app, referred), referred)
    await pay(two.body.session_id, await saveCard(app, referred, cards.alsoSucceeds), referred)
    const online = { service_id: 1, appointment_type: 'online' }
    await book(one.body.session_id, { ...online, datetime: monday }, referred)
    const second = await book(two.body.session_id, { ...online, datetime: later }, referred)
    expect(second.body).toMatchObject({ code: 'price_changed', details: { fee: 60 } })
    expect(await intents(two.body.session_id)).toEqual(['booking voided 4800'])
  })

  test('a card that had the discount before voids the discounted authorisation, and another card gets the discount again', async () => {
    const [a, b] = [
      await createClient(app, { referral_code: client.referralCode }),
      await createClient(app, { referral_code: client.referralCode }),
    ]
    await bookSession(app, { practitioner, client: a, startsAt: later })
    const held = await hold({}, b)
    const good = await saveCard(app, b, cards.alsoSucceeds)
    expect((await pay(held.body.session_id, good, b)).body).toMatchObject({ amount: 48 })
    await pay(held.body.session_id, await saveCard(app, b), b)
    expect((await book(held.body.session_id, {}, b)).body).toMatchObject({ code: 'not_paid' })
    expect(await intents(held.body.session_id)).toEqual(['booking voided 4800'])
    expect((await pay(held.body.session_id, good, b)).body).toMatchObject({
      code: 'price_changed',
      details: { fee: 48 },
    })
    await pay(held.body.session_id, good, b)
    expect((await book(held.body.session_id, {}, b)).body).toMatchObject({ status: 'confirmed', fee: 48 })
    expect((await intents(held.body.session_id)).sort()).toEqual([
      'booking captured 4800',
      'booking voided 4800',
    ])
  })

  test('choosing another card before booking charges that card', async () => {
    const held = await hold()
    const [first, second] = [await saveCard(app, client), await saveCard(app, client, cards.alsoSucceeds)]
    await pay(held.body.session_id, first)
    expect((await pay(held.body.session_id, second)).status).toBe(200)
    await book(held.body.session_id)
    const charged = await app.db
      .selectFrom('payment_intents')
      .select('payment_method_id')
      .where('state', '=', 'captured')
      .execute()
    expect(charged).toEqual([{ payment_method_id: second }])
  })

  test('a hold whose time and session are over cannot be booked any more, swept or not', async () => {
    const held = await hold({ datetime: '2026-06-01T10:00:00.000Z' })
    await pay(held.body.session_id, await saveCard(app, client))
    app.clock.set('2026-06-01T11:30:00Z')
    client = await signInAgain(app, client)
    const booked = await book(held.body.session_id)
    expect(booked.status).toBe(409)
  })
})

test('a payment authorised while its hold expires is voided', async () => {
  app = await buildTestApp({ database: (await clusterDatabase()).database })
  try {
    client = await createClient(app)
    practitioner = await createPractitioner(app)
    const held = await hold()
    const id = String(held.body.session_id)
    await pay(id, await saveCard(app, client))
    // The state before the gateway's response is stored.
    await app.db.updateTable('payment_intents').set({ state: 'authorising' }).execute()
    app.clock.advance(minutes(11))
    let sweeping: Promise<void> | undefined
    await app.db.transaction().execute(async (tx) => {
      await tx
        .updateTable('payment_intents')
        .set({ state: 'authorised', updated_at: app.clock.now() })
        .where('state', '=', 'authorising')
        .execute()
      sweeping = app.services.bookings.sweep()
      await new Promise((resolve) => setTimeout(resolve, 500))
    })
    await sweeping
    for (let pass = 0; pass < 3; pass++) {
      app.clock.advance(minutes(60))
      await app.services.bookings.sweep()
      await app.services.payments.recover()
      await app.queue.drain()
    }
    expect(await intents(id)).toEqual(['booking voided 6000'])
  } finally {
    await app.close()
  }
})
