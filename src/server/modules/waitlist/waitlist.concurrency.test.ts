import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
import {
  bookSession,
  type Client,
  createClient,
  createPractitioner,
  type Practitioner,
  saveCard,
  signInAgain,
} from '#test/factories.ts'
import { movableClock } from '#test/movable-clock.ts'
import {
  cancelSession,
  confirmOffered,
  joinWaitlist,
  passMinutes,
  payOffered,
  readOffer,
  wantedStart,
} from '#test/waitlist.ts'

const thirty = Array.from({ length: 30 }, (_, index) => index)

let app: TestApp
let practitioner: Practitioner
let booker: Client
let booked: string

beforeEach(async () => {
  app = await buildTestApp({ database: (await clusterDatabase()).database })
  practitioner = await createPractitioner(app, { hours: [10] })
  booker = await createClient(app)
  booked = await bookSession(app, { practitioner, client: booker, startsAt: wantedStart })
})
afterEach(async () => app.close())

const states = async () => {
  const { rows } = await sql<{ kind: string; state: string; count: number }>`
    select kind, state, count(*)::int from waitlist_offers group by kind, state order by kind, state`.execute(
    app.db,
  )
  return rows
}
const liveAt = async (start: string) => {
  const { rows } = await sql<{ state: string }>`
    select state from reservations where lower(during) = ${start} and state <> 'released'`.execute(app.db)
  return rows.map(({ state }) => state)
}

test('of thirty clients who book a broadcast hour at once one gets it, and the others keep their places', async () => {
  const clients: { client: Client; card: string }[] = []
  for (const _ of thirty) {
    const client = await createClient(app)
    await joinWaitlist(app, client, practitioner)
    clients.push({ client, card: await saveCard(app, client) })
  }
  app.clock.set('2026-06-05T06:00:00Z')
  await app.db
    .updateTable('appointments')
    .set({ first_booked_at: app.clock.now() })
    .where('id', '=', booked)
    .execute()
  expect((await cancelSession(app, await signInAgain(app, booker), booked)).status).toBe(200)
  await passMinutes(app, 3)
  expect(await states()).toEqual([{ kind: 'broadcast', state: 'open', count: 30 }])

  const signedIn = await Promise.all(
    clients.map(async ({ client, card }) => ({ client: await signInAgain(app, client), card })),
  )
  const began = performance.now()
  const answers = await Promise.all(
    signedIn.map(async ({ client, card }) => {
      const held = await app.call('POST', '/appointment/create-session', {
        token: client.token,
        body: {
          practitioner_id: practitioner.id,
          booking_type: 'schedule',
          service_id: 1,
          appointment_type: 'online',
          datetime: wantedStart,
        },
      })
      return { held, client, card, took: performance.now() - began }
    }),
  )
  const [winner, ...others] = answers.toSorted((one, other) => one.held.status - other.held.status)
  expect(winner?.held.status).toBe(201)
  expect(others.map(({ held }) => `${held.status} ${String(held.body.code)}`)).toEqual(
    others.map(() => '409 slot_taken'),
  )
  const slowest = Math.max(...others.map(({ took }) => took))
  process.stdout.write(
    `broadcast hour: winner ${winner?.took.toFixed(0)} ms, slowest of the others ${slowest.toFixed(0)} ms\n`,
  )
  if (!winner) throw new Error('No client got the hour.')
  const id = String(winner.held.body.session_id)
  expect((await payOffered(app, winner.client, id, winner.card)).status).toBe(200)
  expect((await confirmOffered(app, winner.client, id)).status).toBe(200)
  expect(await liveAt(wantedStart)).toEqual(['booked'])
  expect(await states()).toEqual([
    { kind: 'broadcast', state: 'taken', count: 1 },
    { kind: 'broadcast', state: 'withdrawn', count: 29 },
  ])
  const left = await app.db
    .selectFrom('waitlist_entries')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .groupBy('state')
    .orderBy('state')
    .execute()
  expect(left).toEqual([
    { state: 'booked', count: 1 },
    { state: 'waiting', count: 29 },
  ])
})

test('instances that match at once make one offer of a time', async () => {
  for (const _ of [1, 2, 3]) await joinWaitlist(app, await createClient(app), practitioner)
  expect((await cancelSession(app, booker, booked)).status).toBe(200)
  app.clock.advance(180_000)
  await Promise.all(
    Array.from({ length: 8 }, () => app.services.waitlistMatching.run(practitioner.id, { everything: true })),
  )
  expect(await states()).toEqual([{ kind: 'turn', state: 'open', count: 1 }])
  expect(await liveAt(wantedStart)).toEqual(['held'])
})

test('a public booking and the match of the same hour leave one reservation', async () => {
  const waiter = await createClient(app)
  await joinWaitlist(app, waiter, practitioner)
  const racers = await Promise.all(Array.from({ length: 6 }, () => createClient(app)))
  expect((await cancelSession(app, booker, booked)).status).toBe(200)
  app.clock.advance(180_000)
  const [, ...answers] = await Promise.all([
    app.services.waitlistMatching.run(practitioner.id),
    ...racers.map((client) =>
      app.call('POST', '/appointment/create-session', {
        token: client.token,
        body: {
          practitioner_id: practitioner.id,
          booking_type: 'schedule',
          service_id: 1,
          appointment_type: 'online',
          datetime: wantedStart,
        },
      }),
    ),
  ])
  expect(answers.every(({ status }) => [201, 409].includes(status))).toBe(true)
  const offered = (await states()).length
  expect(offered + answers.filter(({ status }) => status === 201).length).toBe(1)
  expect(await liveAt(wantedStart)).toEqual(['held'])
})

test('an offer whose process ends before its mail is sent is mailed by the next one, or withdrawn', async () => {
  await app.close()
  const { url, database } = await clusterDatabase(5)
  const clock = movableClock()
  let isGone = false
  const reached = Promise.withResolvers<void>()
  const before = await buildTestApp({
    database,
    clock,
    checkpoint: async (step) => {
      if (step !== 'waitlist offer made' || isGone) return
      isGone = true
      reached.resolve()
      // The caller never continues, as after the end of the process.
      await new Promise(() => undefined)
    },
  })
  practitioner = await createPractitioner(before, { hours: [10] })
  booker = await createClient(before)
  booked = await bookSession(before, { practitioner, client: booker, startsAt: wantedStart })
  const waiter = await createClient(before)
  const entry = await joinWaitlist(before, waiter, practitioner)
  await cancelSession(before, booker, booked)
  clock.advance(180_000)
  void before.services.waitlistMatching.run(practitioner.id)
  await reached.promise

  const { openServer } = await import('#server/db/connection.ts')
  app = await buildTestApp({ database: openServer(url, 5, () => undefined), clock, secrets: before.secrets })
  const [made] = await app.db.selectFrom('waitlist_offers').selectAll().execute()
  expect(made).toMatchObject({ entry_id: entry.entry_id, state: 'open', started_at: null })
  expect(app.mails()).toEqual([])
  await app.queue.drain()
  expect(app.mails().length).toBeGreaterThan(0)
  const offer = await readOffer(app, waiter, String(made?.id))
  expect(offer).toMatchObject({ state: 'open', available: true })
  expect(await liveAt(wantedStart)).toEqual(['held'])
  await before.close().catch(() => undefined)
})
