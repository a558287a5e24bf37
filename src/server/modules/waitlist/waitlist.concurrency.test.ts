import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { days, hours, later, minutes } from '#server/clock.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
import { startCrashing } from '#test/crashing.ts'
import {
  bookSession,
  type Client,
  createClient,
  createPractitioner,
  type Practitioner,
  saveCard,
  signInAgain,
  signInPractitioner,
} from '#test/factories.ts'
import { movableClock } from '#test/movable-clock.ts'
import {
  cancelSession,
  confirmOffered,
  entriesOf,
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
  // A winner of a few milliseconds would make the others late by a turn of the machine.
  expect(slowest).toBeLessThanOrEqual(3 * Math.max(winner.took, 150))
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

test('an offer by hand of an hour that is being reserved is refused, and leaves no offer and no record', async () => {
  const waiter = await createClient(app)
  const entry = await joinWaitlist(app, waiter, practitioner)
  const token = await signInPractitioner(app, practitioner)
  const startsAt = new Date('2026-06-10T09:00:00Z')
  const reserved = Promise.withResolvers<void>()
  const commit = Promise.withResolvers<void>()
  const booking = inTransaction(app.db, async (tx) => {
    const time = { startsAt, endsAt: later(startsAt, minutes(50)), pauseMinutes: 0 }
    const who = { practitionerId: practitioner.id, clientId: booker.id }
    const { outcome } = await app.services.availability.take(tx, { ...who, ...time })
    reserved.resolve()
    await commit.promise
    return outcome
  })
  await reserved.promise
  // The hour is still free to others.
  const offering = app.call('POST', `/therapist/waitlist/${entry.entry_id}/offer`, {
    token,
    body: { starts_at: startsAt.toISOString() },
  })
  const waitingForLocks = async () =>
    (
      await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        app.db,
      )
    ).rows.length
  await expect.poll(waitingForLocks).toBe(1)
  commit.resolve()
  expect(await booking).toHaveProperty('reservationId')
  const refused = await offering
  expect([refused.status, refused.body.code]).toEqual([409, 'slot_taken'])
  expect(await states()).toEqual([])
  expect(await app.db.selectFrom('audit_log').selectAll().execute()).toEqual([])
  expect((await entriesOf(app, waiter))[0]).toMatchObject({ state: 'waiting', place: 1, offers: [] })
})

test('at no moment between two turns can a third client see or book the hour', async () => {
  const clients: Client[] = []
  for (const _ of [1, 2, 3, 4]) {
    const client = await createClient(app)
    await joinWaitlist(app, client, practitioner)
    clients.push(client)
  }
  const stranger = await createClient(app)
  await app.db
    .updateTable('access_tokens')
    .set({ expires_at: new Date('2099-01-01') })
    .execute()
  expect((await cancelSession(app, booker, booked)).status).toBe(200)
  await passMinutes(app, 3)
  const turns = () =>
    app.db
      .selectFrom('waitlist_offers')
      .innerJoin('reservations', 'reservations.id', 'waitlist_offers.reservation_id')
      .select([
        'waitlist_offers.id',
        'waitlist_offers.state',
        'entry_id',
        sql<string>`reservations.xmin::text`.as('writer'),
      ])
      .orderBy('waitlist_offers.round')
      .execute()

  // A third client looks and tries without a pause, each statement on a connection of its own.
  const looks = { count: 0, free: 0, unreserved: 0, answers: new Set<string>() }
  const end = new AbortController()
  const look = async () => {
    while (!end.signal.aborted) {
      const slots = await app.call(
        'GET',
        `/practitioner/${practitioner.id}/next-available-sessions?from=2026-06-05&days=1`,
      )
      if (JSON.stringify(slots.body.slots).includes(wantedStart)) looks.free++
      if ((await liveAt(wantedStart)).length !== 1) looks.unreserved++
      looks.count++
    }
  }
  const attempt = async () => {
    while (!end.signal.aborted) {
      const held = await app.call('POST', '/appointment/create-session', {
        token: stranger.token,
        body: {
          practitioner_id: practitioner.id,
          booking_type: 'schedule',
          service_id: 1,
          appointment_type: 'online',
          datetime: wantedStart,
        },
      })
      looks.answers.add(`${held.status} ${String(held.body.code)}`)
    }
  }
  const looking = Promise.all([look(), look(), attempt()])
  onTestFinished(async () => {
    end.abort()
    await looking
  })

  const [first] = await turns()
  const declined = await app.call('POST', `/waitlist/offers/${first?.id}/decline`, {
    token: clients[0]?.token ?? '',
  })
  expect(declined.status).toBe(200)
  const [ended, next] = await turns()
  expect([ended?.state, next?.state]).toEqual(['declined', 'open'])
  // The transaction that ended one turn began the other.
  expect(next?.writer).toBe(ended?.writer)

  // The second turn passes, and jobs come a minute late.
  app.clock.advance(hours(4) + minutes(11))
  const before = looks.count
  await expect.poll(() => looks.count).toBeGreaterThan(before + 3)
  await app.services.bookings.sweep()
  const third = (await turns())[2]
  expect(third?.state).toBe('open')

  end.abort()
  await looking
  expect({ ...looks, answers: [...looks.answers] }).toEqual({
    count: expect.any(Number),
    free: 0,
    unreserved: 0,
    answers: ['409 slot_taken'],
  })
  expect(looks.count).toBeGreaterThan(10)

  // After the third turn the time is public.
  const left = await app.call('DELETE', `/waitlist/${third?.entry_id}`, {
    token: clients[2]?.token ?? '',
  })
  expect(left.status).toBe(200)
  expect(await turns()).toHaveLength(3)
  expect(await liveAt(wantedStart)).toEqual([])
})

test('kill -9 between an offer and its mail: the next process sends the mail once, and the turn begins', async () => {
  await app.close()
  const { url, database } = await clusterDatabase(5)
  // The other process has the real clock.
  const clock = movableClock(new Date().toISOString())
  app = await buildTestApp({ database, clock })
  practitioner = await createPractitioner(app, { hours: [10], timezone: 'UTC' })
  booker = await createClient(app)
  const day = later(new Date(), days(7)).toISOString().slice(0, 10)
  const start = `${day}T10:00:00.000Z`
  booked = await bookSession(app, { practitioner, client: booker, startsAt: start })
  const waiter = await createClient(app)
  const whole = [{ weekdays: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' }]
  const wanted = { earliest: day, latest: day, timezone: 'UTC', windows: whole }
  const entry = await joinWaitlist(app, waiter, practitioner, wanted)
  await cancelSession(app, booker, booked)
  await app.queue.drain()
  const before = app.mails().length
  const { gone } = await startCrashing(app, url, 'waitlist offer made', ['waitlist.match', practitioner.id])
  expect(await gone).toBe('SIGKILL')

  const offers = () => app.db.selectFrom('waitlist_offers').selectAll().execute()
  const [made, ...others] = await offers()
  expect(others).toEqual([])
  expect(made).toMatchObject({ entry_id: entry.entry_id, state: 'open', started_at: null })
  expect(await liveAt(start)).toEqual(['held'])
  clock.set(new Date())
  await app.services.waitlistMatching.sweep()
  await app.queue.drain()
  await app.queue.drain()
  expect(app.mails().slice(before)).toHaveLength(1)
  expect(await readOffer(app, waiter, String(made?.id))).toMatchObject({ state: 'open', available: true })
  expect((await offers()).map(({ id, started_at }) => [id, started_at !== null])).toEqual([[made?.id, true]])
  expect(await liveAt(start)).toEqual(['held'])
})

test('who joins while the profile is being closed waits for that, and takes no place', async () => {
  const client = await createClient(app)
  const [closing, isClosing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const closed = inTransaction(app.db, async (tx) => {
    await tx
      .updateTable('practitioners')
      .set({ state: 'closed', state_changed_at: app.clock.now() })
      .where('id', '=', practitioner.id)
      .execute()
    isClosing.resolve()
    await closing.promise
  })
  await isClosing.promise
  const joined = joinWaitlist(app, client, practitioner)
  await sleep(300)
  closing.resolve()
  await closed
  await expect(joined).rejects.toThrow('404')
  expect(await app.db.selectFrom('waitlist_entries').select('id').execute()).toEqual([])
})
