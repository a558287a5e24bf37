import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { minutes } from '#server/clock.ts'
import { openServer } from '#server/db/connection.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
import { startCrashing } from '#test/crashing.ts'
import {
  bookSession,
  type Client,
  createClient,
  createPractitioner,
  ledger,
  type Practitioner,
  saveCard,
} from '#test/factories.ts'
import { movableClock } from '#test/movable-clock.ts'

const monday = '2026-06-08T09:00:00.000Z'
const later = '2026-06-09T13:00:00.000Z'

type Act = (
  app: TestApp,
  who: { client: Client; practitioner: Practitioner; card: string },
) => Promise<unknown>

const book: Act = async (app, { client, practitioner, card }) => {
  const { token } = client
  const held = await app.call('POST', '/appointment/create-session', {
    token,
    body: {
      practitioner_id: practitioner.id,
      booking_type: 'schedule',
      service_id: 1,
      appointment_type: 'online',
      datetime: monday,
    },
  })
  const id = held.body.session_id
  await app.call('POST', '/payment/sandbox/existing-card-payment', {
    token,
    body: { session_id: id, customer_id: card },
  })
  return app.call('POST', '/appointment/instant-book', { token, body: { appointment_id: id } })
}

const cancel: Act = async (app, who) => {
  const id = await bookSession(app, { ...who, startsAt: monday })
  return app.call('POST', '/appointment/cancel-session', {
    token: who.client.token,
    body: { appointment_id: id },
  })
}

const moveTo =
  (type: 'online' | 'face_to_face', from: 'online' | 'face_to_face'): Act =>
  async (app, who) => {
    const id = await bookSession(app, { ...who, startsAt: monday, type: from })
    return app.call('POST', '/appointment/edit-session', {
      token: who.client.token,
      body: { appointment_id: id, type, appointment_datetime: later, customer_id: who.card },
    })
  }

/** Every boundary between two steps, with an operation that passes it and the state expected after recovery. */
const boundaries: { act: Act; what: string; step: string; nth: number; left: string }[] = [
  { what: 'booking', act: book, step: 'slot held', nth: 1, left: 'nothing' },
  { what: 'booking', act: book, step: 'payment noted', nth: 1, left: 'nothing' },
  { what: 'booking', act: book, step: 'payment authorised at the gateway', nth: 1, left: 'nothing' },
  { what: 'booking', act: book, step: 'payment authorised', nth: 1, left: 'nothing' },
  { what: 'booking', act: book, step: 'booking confirmed', nth: 1, left: 'online 6000' },
  { what: 'booking', act: book, step: 'payment captured at the gateway', nth: 1, left: 'online 6000' },
  { what: 'cancelling', act: cancel, step: 'session cancelled', nth: 1, left: 'nothing' },
  { what: 'cancelling', act: cancel, step: 'refunded at the gateway', nth: 1, left: 'nothing' },
  {
    what: 'moving to a dearer choice',
    act: moveTo('face_to_face', 'online'),
    step: 'payment noted',
    nth: 2,
    left: 'online 6000',
  },
  {
    what: 'moving to a dearer choice',
    act: moveTo('face_to_face', 'online'),
    step: 'payment authorised at the gateway',
    nth: 2,
    left: 'online 6000',
  },
  {
    what: 'moving to a dearer choice',
    act: moveTo('face_to_face', 'online'),
    step: 'change paid',
    nth: 1,
    left: 'online 6000',
  },
  {
    what: 'moving to a dearer choice',
    act: moveTo('face_to_face', 'online'),
    step: 'session moved',
    nth: 1,
    left: 'face_to_face 8000',
  },
  {
    what: 'moving to a dearer choice',
    act: moveTo('face_to_face', 'online'),
    step: 'payment captured at the gateway',
    nth: 2,
    left: 'face_to_face 8000',
  },
  {
    what: 'moving to a cheaper choice',
    act: moveTo('online', 'face_to_face'),
    step: 'session moved',
    nth: 1,
    left: 'online 6000',
  },
  {
    what: 'moving to a cheaper choice',
    act: moveTo('online', 'face_to_face'),
    step: 'refunded at the gateway',
    nth: 1,
    left: 'online 6000',
  },
]

/** The confirmed sessions with the sums paid for them, once the gateway, the ledger and the sessions agree. */
async function whatIsLeft(app: TestApp): Promise<string> {
  const { rows: sessions } = await sql<{ line: string; due: number }>`
    select appointment_type || ' ' || (fee_pence - discount_pence) as line, fee_pence - discount_pence as due
    from appointments where state = 'confirmed'`.execute(app.db)
  const { rows: money } = await sql<{ kept: number; pending: number; live: number }>`
    select coalesce(sum(amount_pence - refunded_pence) filter (where state = 'captured'), 0)::int as kept,
           count(*) filter (where state in ('authorised', 'requires_action'))::int as pending,
           (select count(*)::int from reservations where state <> 'released') as live
    from sandbox_gateway.payments`.execute(app.db)
  const due = sessions.reduce((sum, session) => sum + session.due, 0)
  expect(money[0]).toEqual({ kept: due, pending: 0, live: sessions.length })
  const books = await ledger(app)
  expect(books.gateway_balance ?? 0).toBe(due)
  expect((books.gateway_balance ?? 0) + (books.practitioner_payable ?? 0)).toBe(0)
  return sessions.map((session) => session.line).join(', ') || 'nothing'
}

describe('a crash in the middle leaves neither a charge without a session nor a session without a charge', () => {
  test.each(boundaries)('$what, after: $step', async ({ act, step, nth, left }) => {
    const { url, database } = await clusterDatabase(5)
    const clock = movableClock()
    const reached = Promise.withResolvers<void>()
    let passed = 0
    const before = await buildTestApp({
      database,
      clock,
      checkpoint: async (here) => {
        if (here !== step || ++passed !== nth) return
        reached.resolve()
        // This promise never resolves, so the operation stops here as at the end of the process.
        await new Promise(() => undefined)
      },
    })
    const client = await createClient(before)
    const practitioner = await createPractitioner(before)
    const card = await saveCard(before, client)
    const attempt = act(before, { client, practitioner, card }).catch(() => undefined)
    await Promise.race([
      reached.promise,
      attempt.then(() => {
        throw new Error(`It never came to: ${step}`)
      }),
    ])
    before.app.server.closeAllConnections()

    clock.advance(minutes(16))
    const after = await buildTestApp({ database: openServer(url, 5, () => undefined), clock })
    await after.services.bookings.sweep()
    await after.services.bookings.sweep()
    await after.services.payments.recover()
    expect(await whatIsLeft(after)).toBe(left)
    await after.close()
    await before.close()
  })

  test.each([
    { step: 'payment authorised at the gateway', left: 'nothing' },
    { step: 'booking confirmed', left: 'online 6000' },
    { step: 'payment captured at the gateway', left: 'online 6000' },
  ])('kill -9 of the process, after: $step', async ({ step, left }) => {
    const { url, database } = await clusterDatabase(5)
    const clock = movableClock(new Date().toISOString())
    const app = await buildTestApp({ database, clock })
    const client = await createClient(app)
    const practitioner = await createPractitioner(app)
    const card = await saveCard(app, client)
    const { other, gone } = await startCrashing(app, url, step)
    const start = new Date(Date.now() + 7 * 86_400_000)
    start.setUTCHours(12, 0, 0, 0)
    const attempt = bookSession(other, { practitioner, client, startsAt: start.toISOString(), card })
    await expect(attempt).rejects.toThrow()
    expect(await gone).toBe('SIGKILL')
    clock.set(new Date(Date.now() + minutes(16)))
    await app.services.bookings.sweep()
    await app.services.bookings.sweep()
    await app.services.payments.recover()
    expect(await whatIsLeft(app)).toBe(left)
    await app.close()
  })
})
