import { type LogEvent, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openServer, type Tx } from '#server/db/connection.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { type Answer, buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
import { startCrashing } from '#test/crashing.ts'
import {
  type Client,
  createClient,
  createPractitioner,
  type Practitioner,
  saveCard,
} from '#test/factories.ts'
import { movableClock } from '#test/movable-clock.ts'

// Real concurrency: PostgreSQL on a private cluster, twenty connections.
let app: TestApp
const statements: string[] = []

beforeEach(async () => {
  app = await buildTestApp({ database: (await clusterDatabase()).database })
})
afterEach(() => app.close())

const monday = (hour: number) => `2026-06-08T${String(hour).padStart(2, '0')}:00:00.000Z`
const twenty = Array.from({ length: 20 }, (_, index) => index)

const hold = (client: Client, practitioner: Practitioner, datetime: string, on = app): Promise<Answer> =>
  on.call('POST', '/appointment/create-session', {
    token: client.token,
    body: {
      practitioner_id: practitioner.id,
      booking_type: 'schedule',
      service_id: 1,
      appointment_type: 'online',
      datetime,
    },
  })

function tally(answers: Answer[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, body } of answers) {
    const key = status < 300 ? `${status} ok` : `${status} ${String(body.code)}`
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}

/** How many holds stand, with their appointments, the jobs that end them and the marks of the search. */
async function held() {
  const { rows } = await sql<Record<'times' | 'appointments' | 'jobs' | 'marked', number>>`
    select (select count(*)::int from reservations where state = 'held') as times,
      (select count(*)::int from appointments a join reservations r on r.id = a.reservation_id
        where a.state = 'pending' and r.state = 'held') as appointments,
      (select count(*)::int from reservations r where state = 'held' and exists (select from pgboss.job j
        where j.name = 'bookings.sweep' and j.start_after = r.hold_expires_at)) as jobs,
      (select count(*)::int from reservations r where state = 'held' and exists (
        select from practitioner_search_marks m where m.practitioner_id = r.practitioner_id)) as marked`.execute(
    app.db,
  )
  return rows[0]
}
const all = (count: number) => ({ times: count, appointments: count, jobs: count, marked: count })

/** Waits until a statement of the product waits for a lock. */
async function blocked(): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      app.db,
    )
    if (rows.length > 0) return
  }
}

/** What a request does that waits for the locks of a transaction until that has committed. */
async function after<T>(work: (tx: Tx) => Promise<unknown>, request: () => Promise<T>): Promise<T> {
  const locked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const first = inTransaction(app.db, async (tx) => {
    await work(tx)
    locked.resolve()
    await released.promise
  })
  await locked.promise
  const second = request()
  await blocked()
  released.resolve()
  await first
  return second
}

test('a client who holds twenty practitioners at once gets two times, and leaves nothing else', async () => {
  const client = await createClient(app)
  const practitioners = await Promise.all(twenty.map(() => createPractitioner(app)))
  const answers = await Promise.all(
    practitioners.map((practitioner, index) => hold(client, practitioner, monday(8 + (index % 10)))),
  )
  const counts = tally(answers)
  expect(counts['201 ok']).toBe(2)
  // The third onwards is refused for the limit, unless it would be at the time of one of the two.
  expect(answers.every(({ status }) => [201, 429].includes(status))).toBe(true)
  expect(await held()).toEqual(all(2))
  const { rows } = await sql`select from appointments union all select from reservations`.execute(app.db)
  expect(rows).toHaveLength(4)
})

test('twenty holds of one client for one practitioner at once leave the last, beside the one for another', async () => {
  const client = await createClient(app)
  const [one, other] = await Promise.all([createPractitioner(app), createPractitioner(app)])
  expect((await hold(client, other, monday(17))).status).toBe(201)
  expect((await hold(client, one, monday(8))).status).toBe(201)
  const answers = await Promise.all(twenty.map((index) => hold(client, one, monday(8 + (index % 9)))))
  expect(tally(answers)).toEqual({ '201 ok': 20 })
  expect(await held()).toEqual(all(2))
  const { rows } = await sql<{ state: string; count: number }>`
    select a.state, count(*)::int from appointments a join reservations r on r.id = a.reservation_id
    group by a.state order by a.state`.execute(app.db)
  expect(rows).toEqual([
    { state: 'expired', count: 20 },
    { state: 'pending', count: 2 },
  ])
})

test('of twenty clients at four instances who want one time, one holds it', async () => {
  const { url } = await clusterDatabase(5)
  const instances = await Promise.all(
    [1, 2, 3, 4].map(() => buildTestApp({ database: openServer(url, 5, () => undefined) })),
  )
  const [one] = instances as [TestApp]
  const clients = await Promise.all(twenty.map(() => createClient(one)))
  const practitioner = await createPractitioner(one)
  // One of those at the first instance may hold no more, so that others of that instance ask after all.
  const full = clients[0]!
  for (const hour of [8, 12]) {
    expect((await hold(full, await createPractitioner(one), monday(hour), one)).status).toBe(201)
  }
  const answers = await Promise.all(
    clients.map((client, index) => hold(client, practitioner, monday(10), instances[index % 4])),
  )
  const { '429 too_many_holds': refused = 0, ...others } = tally(answers)
  expect(others).toEqual({ '201 ok': 1, '409 slot_taken': 19 - refused })
  const { rows } = await sql`
    select from reservations where practitioner_id = ${practitioner.id} union all
    select from appointments where practitioner_id = ${practitioner.id}`.execute(one.db)
  expect(rows).toHaveLength(2)
  for (const instance of instances) await instance.close()
})

test('an expired hold of another client is released by the one that takes its time', async () => {
  const practitioner = await createPractitioner(app)
  const [first, second] = [await createClient(app), await createClient(app)]
  expect((await hold(first, practitioner, monday(9))).status).toBe(201)
  expect(tally([await hold(second, practitioner, monday(9))])).toEqual({ '409 slot_taken': 1 })
  app.clock.set('2026-06-01T08:10:00.000Z')
  expect((await hold(second, practitioner, monday(9))).status).toBe(201)
  expect(await held()).toEqual(all(1))
})

describe('a hold that waits', () => {
  let client: Client
  let practitioner: Practitioner
  beforeEach(async () => {
    client = await createClient(app)
    practitioner = await createPractitioner(app)
  })

  test('for another of its client counts that one', async () => {
    const [second, third] = await Promise.all([createPractitioner(app), createPractitioner(app)])
    expect((await hold(client, practitioner, monday(8))).status).toBe(201)
    const { availability } = app.services
    const answer = await after(
      async (tx) => {
        const whose = { practitionerId: second.id, clientId: client.id, startsAt: new Date(monday(10)) }
        const facts = await availability.beginHold(tx, whose)
        const wanted = { ...whose, durationMinutes: 50, appointmentType: 'online' as const }
        const expiresAt = new Date('2026-06-01T08:10:00Z')
        await availability.hold(tx, { ...wanted, expiresAt }, facts, 'at once')
      },
      () => hold(client, third, monday(12)),
    )
    expect([answer.status, answer.body.code]).toEqual([429, 'too_many_holds'])
    expect(await held()).toMatchObject({ times: 2, appointments: 1 })
  })

  test.each([
    [
      'the practitioner is suspended',
      (tx: Tx, id: number) => sql`update practitioners set state = 'suspended' where id = ${id}`.execute(tx),
      '404 not_found',
    ],
    [
      'the schedule changes',
      async (tx: Tx, id: number) => {
        await sql`select from practitioners where id = ${id} for no key update`.execute(tx)
        await sql`delete from weekly_hours where practitioner_id = ${id}`.execute(tx)
      },
      '422 slot_not_offered',
    ],
    [
      'the service is given up',
      async (tx: Tx, id: number) => {
        await sql`select from practitioners where id = ${id} for no key update`.execute(tx)
        await sql`delete from practitioner_services where practitioner_id = ${id}`.execute(tx)
      },
      '422 validation_failed',
    ],
  ])('while %s is refused, and leaves nothing', async (_, change, refusal) => {
    const answer = await after(
      (tx) => change(tx, practitioner.id),
      () => hold(client, practitioner, monday(9)),
    )
    expect(`${answer.status} ${String(answer.body.code)}`).toBe(refusal)
    const { rows } = await sql`
      select from reservations union all select from appointments union all select from practitioner_search_marks
      union all select from pgboss.job where name = 'bookings.sweep'`.execute(app.db)
    expect(rows).toEqual([])
  })

  test('for another client who then gives up gets the time', async () => {
    const other = await createClient(app)
    const { availability } = app.services
    const answer = await after(
      async (tx) => {
        const whose = { practitionerId: practitioner.id, clientId: other.id, startsAt: new Date(monday(9)) }
        const facts = await availability.beginHold(tx, whose)
        const wanted = { ...whose, durationMinutes: 50, appointmentType: 'online' as const }
        const expiresAt = new Date('2026-06-01T08:10:00Z')
        const { reservationId } = await availability.hold(tx, { ...wanted, expiresAt }, facts, 'at once')
        await availability.release(tx, reservationId)
      },
      () => hold(client, practitioner, monday(9)),
    )
    expect(answer.status).toBe(201)
    expect(await held()).toEqual(all(1))
  })
})

test('a hold is three trips to the database, and answers as its session is read afterwards', async () => {
  const log = ({ query }: LogEvent) => void statements.push(query.sql)
  const counted = await buildTestApp({ database: (await clusterDatabase(2, log)).database })
  const practitioner = await createPractitioner(counted)
  const client = await createClient(counted)
  statements.length = 0
  const answer = await hold(client, practitioner, monday(9), counted)
  expect(answer.status).toBe(201)
  expect(statements.filter((text) => !text.includes('practitioner_search_marks m'))).toHaveLength(
    // The log has what goes with the commit twice: once put aside, and once sent.
    4,
  )
  // Weekly series and waitlists cost a hold nothing.
  expect(statements.join()).toContain('reservations')
  expect(statements.join()).not.toMatch(/session_series|series_dates|waitlist_/)
  const detail = await counted.call('GET', `/appointment/${String(answer.body.session_id)}`, {
    token: client.token,
  })
  const { practitioner: _, dispatch: __, ...created } = answer.body as Record<string, unknown>
  expect(detail.body).toMatchObject(created)
  await counted.close()
})

test('kill -9 among holds keeps each that was acknowledged, and none by halves', async () => {
  const { url, database } = await clusterDatabase(5)
  const clock = movableClock(new Date().toISOString())
  await app.close()
  app = await buildTestApp({ database, clock })
  const practitioners = await Promise.all(twenty.map(() => createPractitioner(app)))
  const clients = await Promise.all(twenty.map(() => createClient(app)))
  const payer = await createClient(app)
  const card = await saveCard(app, payer)
  const { other, gone } = await startCrashing(app, url, 'payment noted')
  const start = new Date(Date.now() + 7 * 86_400_000)
  start.setUTCHours(12, 0, 0, 0)
  const datetime = start.toISOString()
  const paid = await hold(payer, await createPractitioner(app), datetime, other)
  const acknowledged: string[] = [String(paid.body.session_id)]
  await Promise.all([
    ...clients.map(async (client, index) => {
      const practitioner = practitioners[index] as Practitioner
      const answer = await hold(client, practitioner, datetime, other).catch(() => undefined)
      if (answer?.status === 201) acknowledged.push(String(answer.body.session_id))
    }),
    other
      .call('POST', '/payment/sandbox/existing-card-payment', {
        token: payer.token,
        body: { session_id: paid.body.session_id, customer_id: card },
      })
      .catch(() => undefined),
  ])
  expect(await gone).toBe('SIGKILL')
  // What the server still carries out of the process that has gone.
  await sql`select pg_sleep(0.2)`.execute(app.db)
  const pending = await app.db
    .selectFrom('appointments')
    .select('id')
    .where('state', '=', 'pending')
    .execute()
  expect(pending.map((row) => row.id)).toEqual(expect.arrayContaining(acknowledged))
  expect(await held()).toEqual(all(pending.length))
})
