import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { minutes } from '#server/clock.ts'
import { type Answer, buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
import {
  bookSession,
  cards,
  type Client,
  createClient,
  createPractitioner,
  ledger,
  saveCard,
} from '#test/factories.ts'

// Real concurrency: PostgreSQL on a private cluster, twenty connections.
let app: TestApp

beforeEach(async () => {
  app = await buildTestApp({ database: (await clusterDatabase()).database })
})
afterEach(async () => app.close())

// A tenth of the endurance run, which `npm run test:endurance` does in full.
const steps = process.env.ENDURANCE === 'full' ? 250 : 25

const monday = '2026-06-08T09:00:00.000Z'

function hold(client: Client, practitionerId: number, datetime = monday): Promise<Answer> {
  return app.call('POST', '/appointment/create-session', {
    token: client.token,
    body: {
      practitioner_id: practitionerId,
      booking_type: 'schedule',
      service_id: 1,
      appointment_type: 'online',
      datetime,
    },
  })
}

function tally(answers: Answer[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const answer of answers) {
    const key = `${answer.status} ${answer.status < 300 ? 'ok' : String(answer.body.code)}`
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}

const clients = (count: number) => Promise.all(Array.from({ length: count }, () => createClient(app)))

const overlapping = async () => {
  const { rows } = await sql<{ count: string }>`
    select count(*)::text as count from reservations a join reservations b
      on a.id < b.id and a.state <> 'released' and b.state <> 'released' and a.during && b.during
      and (a.practitioner_id = b.practitioner_id or a.client_id = b.client_id)`.execute(app.db)
  return Number(rows[0]?.count)
}

const captured = async () =>
  app.db
    .selectFrom('sandbox_gateway.payments')
    .select('amount_pence')
    .where('state', '=', 'captured')
    .execute()

describe('a hundred clients at once for one time', () => {
  test('who all hold first: one gets the slot, 99 get slot_taken, and one charge remains', async () => {
    const practitioner = await createPractitioner(app)
    const all = await clients(100)
    const withCards = await Promise.all(
      all.map(async (client) => ({ client, card: await saveCard(app, client) })),
    )
    const answers = await Promise.all(
      withCards.map(async ({ client, card }) => {
        const held = await hold(client, practitioner.id)
        if (held.status !== 201) return held
        const session_id = held.body.session_id
        await app.call('POST', '/payment/sandbox/existing-card-payment', {
          token: client.token,
          body: { session_id, customer_id: card },
        })
        return app.call('POST', '/appointment/instant-book', {
          token: client.token,
          body: { appointment_id: session_id },
        })
      }),
    )
    expect(tally(answers)).toEqual({ '200 ok': 1, '409 slot_taken': 99 })
    expect(await captured()).toHaveLength(1)
    expect(await ledger(app)).toEqual({ gateway_balance: 6000, practitioner_payable: -6000 })
    expect(await overlapping()).toBe(0)
  })

  test('who have all paid a draft: exactly one is booked, and 99 authorisations are voided', async () => {
    const practitioner = await createPractitioner(app)
    const all = await clients(100)
    const drafts = await Promise.all(
      all.map(async (client) => {
        const card = await saveCard(app, client)
        const draft = await app.call('POST', '/appointment/create-session', {
          token: client.token,
          body: { practitioner_id: practitioner.id, booking_type: 'schedule', fee: 60 },
        })
        const session_id = draft.body.session_id
        await app.call('POST', '/payment/sandbox/existing-card-payment', {
          token: client.token,
          body: { session_id, customer_id: card },
        })
        return { client, session_id }
      }),
    )
    const answers = await Promise.all(
      drafts.map(({ client, session_id }) =>
        app.call('POST', '/appointment/instant-book', {
          token: client.token,
          body: { appointment_id: session_id, datetime: monday, service_id: 1, appointment_type: 'online' },
        }),
      ),
    )
    expect(tally(answers)).toEqual({ '200 ok': 1, '409 slot_taken': 99 })
    const states = await app.db
      .selectFrom('sandbox_gateway.payments')
      .select(['state', (eb) => eb.fn.countAll<string>().as('count')])
      .groupBy('state')
      .orderBy('state')
      .execute()
    expect(states.map((row) => `${row.state} ${row.count}`)).toEqual(['captured 1', 'voided 99'])
    expect(await overlapping()).toBe(0)
  })
})

test('the same payment sent 50 times at once charges once', async () => {
  const practitioner = await createPractitioner(app)
  const client = await createClient(app)
  const card = await saveCard(app, client)
  const held = await hold(client, practitioner.id)
  const send = (index: number) =>
    app.call('POST', '/payment/sandbox/existing-card-payment', {
      token: client.token,
      // Half of them with one key, half with none.
      ...(index % 2 ? { headers: { 'idempotency-key': 'pay' } } : {}),
      body: { session_id: held.body.session_id, customer_id: card, fee_amount: 60 },
    })
  const paid = await Promise.all(Array.from({ length: 50 }, (_, index) => send(index)))
  expect(tally(paid)).toEqual({ '200 ok': 50 })
  const booked = await Promise.all(
    Array.from({ length: 50 }, () =>
      app.call('POST', '/appointment/instant-book', {
        token: client.token,
        body: { appointment_id: held.body.session_id },
      }),
    ),
  )
  expect(tally(booked)).toEqual({ '200 ok': 50 })
  const payments = await app.db.selectFrom('sandbox_gateway.payments').select('state').execute()
  expect(payments).toEqual([{ state: 'captured' }])
  expect(await ledger(app)).toEqual({ gateway_balance: 6000, practitioner_payable: -6000 })
})

describe('a referral and twenty first bookings at once', () => {
  const times = Array.from(
    { length: 20 },
    (_, index) =>
      `2026-06-${String(8 + Math.floor(index / 10)).padStart(2, '0')}T${String(8 + (index % 10)).padStart(2, '0')}:00:00Z`,
  )
  /** Pays and books; on `price_changed`, pays the price that the response names. */
  async function bookAnyway(client: Client, practitionerId: number, datetime: string): Promise<Answer> {
    const customer_id = await saveCard(app, client)
    const draft = await app.call('POST', '/appointment/create-session', {
      token: client.token,
      body: { practitioner_id: practitionerId, booking_type: 'schedule', fee: 48 },
    })
    const session_id =
      draft.status === 201
        ? draft.body.session_id
        : (
            await app.call('POST', '/appointment/create-session', {
              token: client.token,
              body: { practitioner_id: practitionerId, booking_type: 'schedule', fee: 60 },
            })
          ).body.session_id
    const pay = (fee_amount: number) =>
      app.call('POST', '/payment/sandbox/existing-card-payment', {
        token: client.token,
        body: { session_id, customer_id, fee_amount },
      })
    const book = () =>
      app.call('POST', '/appointment/instant-book', {
        token: client.token,
        body: { appointment_id: session_id, datetime, service_id: 1, appointment_type: 'online' },
      })
    const paid = await pay(48)
    if (String(paid.body.code) === 'price_changed') await pay(60)
    const booked = await book()
    if (!['price_changed', 'not_paid'].includes(String(booked.body.code))) return booked
    await pay(60)
    return book()
  }

  async function expectOneDiscount(): Promise<void> {
    const discounts = await app.db
      .selectFrom('appointments')
      .select('discount_pence')
      .where('state', '=', 'confirmed')
      .orderBy('discount_pence', 'desc')
      .execute()
    expect(discounts.map((row) => row.discount_pence)).toEqual([1200, ...Array(19).fill(0)])
    expect((await captured()).map((row) => row.amount_pence).sort()).toEqual([4800, ...Array(19).fill(6000)])
    expect(await ledger(app)).toEqual({
      gateway_balance: 4800 + 19 * 6000,
      practitioner_payable: -20 * 6000,
      referral_discounts: 1200,
    })
  }

  test('of one client: one is discounted, the platform bears it, and the rest cost what they cost', async () => {
    const practitioner = await createPractitioner(app)
    const friend = await createClient(app)
    const client = await createClient(app, { referral_code: friend.referralCode })
    const answers = await Promise.all(times.map((time) => bookAnyway(client, practitioner.id, time)))
    expect(tally(answers)).toEqual({ '200 ok': 20 })
    await expectOneDiscount()
  })

  test('of twenty clients with one card: one is discounted', async () => {
    const practitioner = await createPractitioner(app)
    const friend = await createClient(app)
    const answers = await Promise.all(
      times.map(async (time) =>
        bookAnyway(await createClient(app, { referral_code: friend.referralCode }), practitioner.id, time),
      ),
    )
    expect(tally(answers)).toEqual({ '200 ok': 20 })
    await expectOneDiscount()
  })
})

test('one client cannot hold more than two times however many requests come at once', async () => {
  const client = await createClient(app)
  const practitioners = await Promise.all(Array.from({ length: 8 }, () => createPractitioner(app)))
  const answers = await Promise.all(
    practitioners.map((practitioner, index) =>
      hold(client, practitioner.id, `2026-06-08T${String(9 + index).padStart(2, '0')}:00:00Z`),
    ),
  )
  expect(tally(answers)).toEqual({ '201 ok': 2, '429 too_many_holds': 6 })
})

test.each([
  [
    'before its end: it is extended once, and the time stays with its client',
    '2026-06-01T08:09:59.999Z',
    true,
  ],
  ['at its end: it is never extended, and one other client gets the time', '2026-06-01T08:10:00.000Z', false],
])('twenty extensions of a hold and twenty other clients at once, %s', async (_, now, isExtended) => {
  const practitioner = await createPractitioner(app)
  const owner = await createClient(app)
  const { body } = await hold(owner, practitioner.id)
  const others = await clients(20)
  app.clock.set(now)
  const [extensions, holds] = await Promise.all([
    Promise.all(
      others.map(() =>
        app.call('POST', `/appointment/${String(body.session_id)}/extend-hold`, { token: owner.token }),
      ),
    ),
    Promise.all(others.map((other) => hold(other, practitioner.id))),
  ])
  expect(tally(extensions)).toEqual(
    isExtended ? { '200 ok': 1, '409 not_changeable': 19 } : { '409 hold_expired': 20 },
  )
  expect(tally(holds)).toEqual(isExtended ? { '409 slot_taken': 20 } : { '201 ok': 1, '409 slot_taken': 19 })
  const held = await app.db.selectFrom('reservations').selectAll().where('state', '=', 'held').execute()
  expect(held).toMatchObject([
    {
      hold_expires_at: new Date('2026-06-01T08:20:00Z'),
      client_id: isExtended ? owner.id : expect.anything(),
    },
  ])
  expect(await overlapping()).toBe(0)
})

test('creating, moving and cancelling at random by eight workers leaves nothing overlapping and no penny astray', async () => {
  const practitioners = await Promise.all(
    Array.from({ length: 3 }, () => createPractitioner(app, { hours: [9, 10, 11] })),
  )
  const workers = await clients(8)
  let seed = 20_260_601
  const random = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((seed / 4_294_967_296) * below)
  }
  const pick = <T>(list: T[]): T => list[random(list.length)] as T
  const time = () =>
    `2026-06-${String(8 + random(2)).padStart(2, '0')}T${String(8 + random(3)).padStart(2, '0')}:00:00Z`
  const seen: Answer[] = []
  await Promise.all(
    workers.map(async (client) => {
      const card = await saveCard(app, client)
      const mine: string[] = []
      for (let step = 0; step < steps; step++) {
        const choice = random(4)
        if (choice < 2 || mine.length === 0) {
          const held = await hold(client, pick(practitioners).id, time())
          seen.push(held)
          if (held.status !== 201) continue
          const session_id = String(held.body.session_id)
          if (random(5) === 0) continue
          seen.push(
            await app.call('POST', '/payment/sandbox/existing-card-payment', {
              token: client.token,
              body: { session_id, customer_id: card },
            }),
          )
          const booked = await app.call('POST', '/appointment/instant-book', {
            token: client.token,
            body: { appointment_id: session_id },
          })
          seen.push(booked)
          if (booked.status === 200) mine.push(session_id)
        } else if (choice === 2) {
          seen.push(
            await app.call('POST', '/appointment/edit-session', {
              token: client.token,
              body: {
                appointment_id: pick(mine),
                type: random(2) ? 'online' : 'face_to_face',
                appointment_datetime: time(),
                customer_id: card,
              },
            }),
          )
        } else {
          const id = mine.splice(random(mine.length), 1)[0]
          seen.push(
            await app.call('POST', '/appointment/cancel-session', {
              token: client.token,
              body: { appointment_id: id },
            }),
          )
        }
      }
    }),
  )
  expect(seen.filter((answer) => answer.status >= 500)).toEqual([])
  expect(seen.some((answer) => answer.status === 409)).toBe(true)
  expect(await overlapping()).toBe(0)
  app.clock.advance(minutes(30))
  await app.services.bookings.sweep()
  await app.services.payments.recover()
  const { rows } = await sql<{ expected: number; at_gateway: number; authorised: number }>`
    select (select coalesce(sum(fee_pence - discount_pence), 0)::int from appointments where state = 'confirmed') as expected,
           (select coalesce(sum(amount_pence - refunded_pence), 0)::int from sandbox_gateway.payments where state = 'captured') as at_gateway,
           (select count(*)::int from sandbox_gateway.payments where state in ('authorised', 'requires_action')) as authorised
  `.execute(app.db)
  expect(rows[0]?.at_gateway).toBe(rows[0]?.expected)
  expect(rows[0]?.authorised).toBe(0)
  const books = await ledger(app)
  expect(books.gateway_balance ?? 0).toBe(rows[0]?.expected)
  expect((books.gateway_balance ?? 0) + (books.practitioner_payable ?? 0)).toBe(0)
})

test('two clients moving into the same time at once: one moves, the other keeps what it had', async () => {
  const practitioner = await createPractitioner(app)
  const [a, b] = (await clients(2)) as [Client, Client]
  const first = await bookSession(app, { practitioner, client: a, startsAt: '2026-06-08T09:00:00Z' })
  const second = await bookSession(app, {
    practitioner,
    client: b,
    startsAt: '2026-06-08T11:00:00Z',
    card: await saveCard(app, b, cards.alsoSucceeds),
  })
  const move = (client: Client, id: string) =>
    app.call('POST', '/appointment/edit-session', {
      token: client.token,
      body: { appointment_id: id, type: 'online', appointment_datetime: '2026-06-08T15:00:00Z' },
    })
  const answers = await Promise.all([move(a, first), move(b, second)])
  expect(tally(answers)).toEqual({ '200 ok': 1, '409 slot_taken': 1 })
  expect(await overlapping()).toBe(0)
})
