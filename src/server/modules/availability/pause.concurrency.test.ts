import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { weekNames } from '#contract/common.ts'
import { type Answer, buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
import {
  bookSession,
  type Client,
  createClient,
  createPractitioner,
  type Practitioner,
  saveCard,
  signInPractitioner,
} from '#test/factories.ts'

// Real concurrency: PostgreSQL on a private cluster, twenty connections.
let app: TestApp
let practitioner: Practitioner
let token: string

beforeEach(async () => {
  app = await buildTestApp({ database: (await clusterDatabase()).database })
  practitioner = await createPractitioner(app)
  token = await signInPractitioner(app, practitioner)
})
afterEach(async () => app.close())

const setPause = (pause_minutes: number) =>
  app.call('PUT', '/therapist/booking-rules', { token, body: { pause_minutes } })

const hold = (client: Client, datetime: string): Promise<Answer> =>
  app.call('POST', '/appointment/create-session', {
    token: client.token,
    body: {
      practitioner_id: practitioner.id,
      booking_type: 'schedule',
      service_id: 1,
      appointment_type: 'online',
      datetime,
    },
  })

/** Seven records with one hour each. */
const weekAt = (hour: number) =>
  weekNames.map((week_name) => ({
    week_name,
    online: [{ timeslot: `${String(hour).padStart(2, '0')}:00`, location_id: null }],
    face_to_face: [],
  }))

const clients = (count: number) => Promise.all(Array.from({ length: count }, () => createClient(app)))
const hourOf = (index: number) => `2026-06-08T${String(7 + index).padStart(2, '0')}:00:00.000Z`

function tally(answers: Answer[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const answer of answers) {
    const key = `${answer.status} ${answer.status < 300 ? 'ok' : String(answer.body.code)}`
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}

/** Pairs of live sessions of one practitioner that lie less than this apart. */
async function tooClose(minutes: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from reservations a join reservations b
      on a.id < b.id and a.practitioner_id = b.practitioner_id
      and a.state <> 'released' and b.state <> 'released'
      and lower(a.during) < upper(b.during) + make_interval(mins => ${minutes})
      and lower(b.during) < upper(a.during) + make_interval(mins => ${minutes})`.execute(app.db)
  return rows[0]?.count ?? Number.NaN
}

describe('a pause of an hour, with clients who all book at once', () => {
  test('for fourteen times that follow each other: those who get one lie the pause apart', async () => {
    await setPause(60)
    const all = await clients(56)
    const answers = await Promise.all(all.map((client, index) => hold(client, hourOf(index % 14))))
    expect(await tooClose(60)).toBe(0)
    const { '201 ok': taken = 0, ...refused } = tally(answers)
    // Sessions of 50 minutes, an hour apart: every second hour at the most, and no gap of five hours is left unused.
    expect(taken).toBeGreaterThanOrEqual(5)
    expect(taken).toBeLessThanOrEqual(7)
    expect(refused).toEqual({ '409 slot_taken': 56 - taken })
  })

  test('for two times beside each other: exactly one of them is taken', async () => {
    await setPause(15)
    const all = await clients(40)
    const answers = await Promise.all(all.map((client, index) => hold(client, hourOf(3 + (index % 2)))))
    expect(tally(answers)).toEqual({ '201 ok': 1, '409 slot_taken': 39 })
  })

  test('and two who move to beside each other: one moves, the other stays', async () => {
    await setPause(30)
    const [a, b] = (await clients(2)) as [Client, Client]
    const ids = [
      await bookSession(app, { practitioner, client: a, startsAt: hourOf(1) }),
      await bookSession(app, { practitioner, client: b, startsAt: hourOf(12) }),
    ]
    const answers = await Promise.all(
      [a, b].map((client, index) =>
        app.call('POST', '/appointment/edit-session', {
          token: client.token,
          body: { appointment_id: ids[index], type: 'online', appointment_datetime: hourOf(6 + index) },
        }),
      ),
    )
    expect(tally(answers)).toEqual({ '200 ok': 1, '409 slot_taken': 1 })
    expect(await tooClose(30)).toBe(0)
  })
})

test('a pause set while clients book applies to every booking after its response', async () => {
  for (let round = 0; round < 8; round++) {
    await app.db.deleteFrom('appointments').execute()
    await app.db.deleteFrom('reservations').execute()
    await setPause(0)
    const all = await clients(12)
    const before = Promise.all(all.slice(0, 6).map((client, index) => hold(client, hourOf(index * 2))))
    const changed = setPause(30)
    // Some of the first bookings are still in progress here, invisible to those that begin now.
    expect((await changed).status).toBe(200)
    const after = await Promise.all(all.slice(6).map((client, index) => hold(client, hourOf(index * 2 + 1))))
    const first = await before
    expect([...first, ...after].filter((answer) => answer.status >= 500)).toEqual([])
    const late = after
      .filter((answer) => answer.status === 201)
      .map((answer) => String(answer.body.starts_at))
    const early = first
      .filter((answer) => answer.status === 201)
      .map((answer) => String(answer.body.starts_at))
    for (const start of late) {
      const beside = early.filter((other) => Math.abs(Date.parse(other) - Date.parse(start)) <= 3_600_000)
      expect([start, beside]).toEqual([start, []])
    }
  }
})

test('one of ten concurrent saves of different schedules succeeds, and the others get a 409', async () => {
  const { version } = (await app.call('GET', '/therapist/schedule', { token })).body
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      app.call('POST', '/therapist/setup-schedule', { token, body: { schedule: weekAt(8 + at), version } }),
    ),
  )
  expect(tally(answers)).toEqual({ '200 ok': 1, '409 changed_elsewhere': 9 })
})

test('schedules, rules, time off and bookings at once neither fail nor leave the search behind', async () => {
  const everyone = await clients(6)
  await Promise.all(everyone.map((client) => saveCard(app, client)))
  const read = await app.call('GET', '/therapist/schedule', { token })
  const answers = await Promise.all([
    ...everyone.map((client, index) => hold(client, hourOf(index * 2))),
    ...[0, 10, 20].map(setPause),
    ...[1, 2, 3].map(() =>
      app.call('POST', '/therapist/setup-schedule', { token, body: read.body.schedule }),
    ),
    ...['2026-06-09', '2026-06-10'].map((first_day) =>
      app.call('POST', '/therapist/time-off', { token, body: { first_day } }),
    ),
  ])
  expect(answers.filter((answer) => answer.status >= 500)).toEqual([])
  await app.services.search.refresh()
  const row = await app.db
    .selectFrom('practitioner_search')
    .select(['free_days_online', 'next_free_online'])
    .where('practitioner_id', '=', practitioner.id)
    .executeTakeFirstOrThrow()
  const outlook = (await app.services.availability.outlook(app.db, [practitioner.id], app.clock.now())).get(
    practitioner.id,
  )
  expect(row.free_days_online).toEqual(outlook?.freeDays.online)
  expect(row.next_free_online).toEqual(outlook?.nextFree.online)
})
