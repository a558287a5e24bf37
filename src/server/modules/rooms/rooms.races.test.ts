import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { days, hours, later, minutes, seconds } from '#server/clock.ts'
import { openServer } from '#server/db/connection.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { connectChat } from '#test/chat-socket.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
import {
  bookSession,
  type Client,
  createClient,
  createPractitioner,
  ledger,
  type Practitioner,
  signInAgain,
  signInPractitioner,
  signInToChat,
} from '#test/factories.ts'
import { movableClock } from '#test/movable-clock.ts'
import { devices, sitDown, stayInRoom } from '#test/rooms.ts'

const { phone, laptop, desk } = devices
const start = new Date('2026-06-08T09:00:00Z')
const rounds = 20

let app: TestApp
let url: string
let client: Client
let practitioner: Practitioner
let therapist: string
beforeEach(async () => {
  const { database, url: address } = await clusterDatabase()
  url = address
  app = await buildTestApp({ database })
  client = await createClient(app)
  practitioner = await createPractitioner(app)
  await app.db.updateTable('practitioners').set({ room: 'hearth' }).execute()
})
afterEach(async () => app.close())

async function signInBoth(): Promise<void> {
  client = await signInAgain(app, client)
  therapist = await signInPractitioner(app, practitioner)
}

/** Books a session, and lets the client wait alone in its room for ten minutes. Its id. */
async function waited(startsAt: Date): Promise<string> {
  app.clock.set(later(startsAt, -hours(20)))
  await signInBoth()
  const id = await bookSession(app, { practitioner, client, startsAt: startsAt.toISOString() })
  app.clock.set(startsAt)
  await signInBoth()
  await stayInRoom(app, id, client.token, phone, 10)
  return id
}
const nobodyCame = (id: string) =>
  app.call('POST', `/appointment/${id}/nobody-came`, { token: client.token, body: {} })
const failed = (id: string) =>
  app.call('POST', `/therapist/sessions/${id}/technical-failure`, {
    token: therapist,
    body: { reason: null },
  })
const session = (id: string) =>
  app.db
    .selectFrom('appointments')
    .select(['state', 'cancel_code', 'cancelled_by'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const refundsOf = (id: string) =>
  app.db
    .selectFrom('refunds')
    .innerJoin('payment_intents', 'payment_intents.id', 'refunds.payment_intent_id')
    .select(['refunds.amount_pence', 'refunds.state'])
    .where('payment_intents.appointment_id', '=', id)
    .execute()
const seatsOf = (id: string) =>
  app.db
    .selectFrom('session_room_seats')
    .select(['side', 'peer_id'])
    .where('appointment_id', '=', id)
    .where('left_at', 'is', null)
    .execute()
const cancellationMails = async (id: string) => {
  const rows = await app.db
    .selectFrom('outgoing_mails')
    .select(['recipient'])
    .where('subject_id', '=', id)
    .where('template', '=', 'session.cancelled')
    .execute()
  return rows.map(({ recipient }) => recipient).toSorted()
}
/** What is owed once everything asked for has been carried out. */
const owed = async () => {
  await app.queue.drain()
  return Object.entries(await ledger(app)).filter(([, pence]) => pence !== 0)
}

test('two devices of one side at once: one has the seat, and the other is refused', async () => {
  const id = await waited(start)
  await app.db.deleteFrom('session_room_seats').execute()
  for (let round = 0; round < rounds; round++) {
    const answers = await Promise.all([phone, laptop].map((peer) => sitDown(app, id, client.token, peer)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const winner = answers[0]?.status === 200 ? phone : laptop
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('seat_taken_over')
    expect(await seatsOf(id)).toEqual([{ side: 'client', peer_id: winner }])
    await app.call('POST', `/appointment/${id}/room/leave`, {
      token: client.token,
      body: { peer_id: winner },
    })
  }
})

test('two devices that take the seat at once: the last has it, and the first one is notified of its loss', async () => {
  const id = await waited(start)
  const pages = await Promise.all(
    [1, 2].map(async () => connectChat(app.origin, (await signInToChat(app, client.token)).token)),
  )
  for (let round = 0; round < rounds; round++) {
    for (const page of pages) page.received.notice.length = 0
    const taken = await Promise.all(
      [phone, laptop].map((peer) => sitDown(app, id, client.token, peer, { take: true })),
    )
    expect(taken.map(({ status }) => status)).toEqual([200, 200])
    const [holder] = await seatsOf(id)
    const loser = holder?.peer_id === phone ? laptop : phone
    expect((await sitDown(app, id, client.token, loser)).body.code).toBe('seat_taken_over')
    for (const page of pages) {
      await expect
        .poll(() => page.received.notice)
        .toContainEqual({ type: 'room.changed', appointment_id: id })
    }
  }
  for (const page of pages) page.close()
})

test('a device that takes the seat waits for a heartbeat of the one before, and not both for each other', async () => {
  const id = await waited(start)
  const taking = await app.db.transaction().execute(async (tx) => {
    // As a heartbeat does: the seat, and then the time.
    await sql`select from session_room_seats where appointment_id = ${id} for no key update`.execute(tx)
    const taking = sitDown(app, id, client.token, laptop, { take: true })
    await vi.waitFor(async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(app.db)
      expect(rows).toHaveLength(1)
    })
    await sql`set local lock_timeout = '100ms'`.execute(tx)
    await sql`update session_attendance set last_out = last_out where appointment_id = ${id}`.execute(tx)
    // A promise within an object is not waited for.
    return { taking }
  })
  expect((await taking.taking).status).toBe(200)
  expect((await seatsOf(id)).map(({ peer_id }) => peer_id)).toEqual([laptop])
})

test(`the practitioner comes as the client gives up, ${rounds} times: a seat, or a cancellation and its refund`, async () => {
  const outcomes: string[] = []
  for (let round = 0; round < rounds; round++) {
    const id = await waited(later(start, days(round)))
    const [seat, report] =
      round % 2
        ? await Promise.all([sitDown(app, id, therapist, desk), nobodyCame(id)])
        : (await Promise.all([nobodyCame(id), sitDown(app, id, therapist, desk)])).toReversed()
    const { state, cancel_code } = await session(id)
    const sides = (await seatsOf(id)).map(({ side }) => side).toSorted()
    if (state === 'confirmed') {
      outcomes.push('came')
      expect([seat?.status, report?.status, report?.body.code]).toEqual([200, 409, 'attendance_missing'])
      expect([cancel_code, sides]).toEqual([null, ['client', 'practitioner']])
      expect(await refundsOf(id)).toEqual([])
      expect(await cancellationMails(id)).toEqual([])
      // Freed for the next round.
      expect((await failed(id)).status).toBe(200)
    } else {
      outcomes.push('cancelled')
      expect([seat?.status, seat?.body.code, report?.status]).toEqual([409, 'room_closed', 200])
      expect([state, cancel_code, sides]).toEqual(['cancelled', 'practitioner_absent', []])
    }
    expect(await refundsOf(id)).toEqual([{ amount_pence: 6000, state: 'succeeded' }])
    expect(await cancellationMails(id)).toEqual(['client', 'practitioner'])
  }
  expect(outcomes).toHaveLength(rounds)
  expect(await owed()).toEqual([])
}, 240_000)

test('an absence that is reported several times at once is refunded once', async () => {
  const id = await waited(start)
  const answers = await Promise.all(Array.from({ length: 5 }, () => nobodyCame(id)))
  expect(answers.map(({ status, body }) => [status, body.status])).toEqual(
    Array.from({ length: 5 }, () => [200, 'cancelled']),
  )
  expect(await refundsOf(id)).toEqual([{ amount_pence: 6000, state: 'succeeded' }])
  expect(await cancellationMails(id)).toEqual(['client', 'practitioner'])
  expect(await owed()).toEqual([])
})

test('an absence and a technical failure at once are one cancellation and one refund', async () => {
  for (let round = 0; round < 6; round++) {
    const id = await waited(later(start, days(round)))
    const answers = await Promise.all(round % 2 ? [failed(id), nobodyCame(id)] : [nobodyCame(id), failed(id)])
    const { state, cancel_code } = await session(id)
    expect(state).toBe('cancelled')
    expect(['practitioner_absent', 'technical_failure']).toContain(cancel_code)
    for (const { status, body } of answers) {
      expect([200, 409]).toContain(status)
      if (status === 409) expect(body.code).toBe('not_changeable')
    }
    expect(await refundsOf(id)).toEqual([{ amount_pence: 6000, state: 'succeeded' }])
    expect(await cancellationMails(id)).toEqual(['client', 'practitioner'])
  }
  expect(await owed()).toEqual([])
}, 120_000)

test.each([
  ['a report of the absence', nobodyCame],
  ['a technical failure', failed],
] as const)(
  '%s as the sweep completes the session: one outcome, and money to match',
  async (_what, act) => {
    const outcomes = new Set<string>()
    // Another instance, whose clock is a moment ahead.
    const clock = movableClock()
    const ahead = await buildTestApp({
      database: openServer(url, 5, () => undefined),
      clock,
      secrets: app.secrets,
      directory: app.directory,
    })
    for (let round = 0; round < 8; round++) {
      const id = await waited(later(start, days(3 * round)))
      const { ends_at } = await app.db
        .selectFrom('appointments')
        .select('ends_at')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      app.clock.set(later(ends_at ?? start, hours(24) - seconds(1)))
      clock.set(later(ends_at ?? start, hours(24) + minutes(1)))
      await signInBoth()
      if (round % 2 === 0) await ahead.services.bookings.sweep()
      const [answer] = await Promise.all([act(id), ahead.services.bookings.sweep()])
      const { state } = await session(id)
      outcomes.add(state)
      if (state === 'completed') {
        expect([answer.status, answer.body.code]).toEqual([409, 'not_changeable'])
        expect(await refundsOf(id)).toEqual([])
        expect(await cancellationMails(id)).toEqual([])
      } else {
        expect([state, answer.status]).toEqual(['cancelled', 200])
        expect(await refundsOf(id)).toEqual([{ amount_pence: 6000, state: 'succeeded' }])
      }
    }
    expect(outcomes).toContain('completed')
    await ahead.close()
  },
  120_000,
)
