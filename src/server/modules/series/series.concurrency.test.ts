import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Series } from '#contract/series/series.ts'
import { days, later } from '#server/clock.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { clusterDatabase, untilOneWaits } from '#test/cluster-database.ts'
import { startCrashing } from '#test/crashing.ts'
import {
  type Client,
  createClient,
  createPractitioner,
  type Practitioner,
  saveCard,
  signInAgain,
  signInPractitioner,
} from '#test/factories.ts'
import { movableClock } from '#test/movable-clock.ts'
import { seriesIn } from '#test/series.ts'

type Between = { practitioner: Practitioner; client: Client }
type Hour = { hour: number; daysAhead?: number }

/** A proposal of a weekly series at an hour in London, from the first such day at least `daysAhead` from now on. */
async function propose(
  app: TestApp,
  { practitioner, client }: Between,
  { hour, daysAhead = 7 }: Hour,
): Promise<Series> {
  const first = later(app.clock.now(), days(daysAhead))
  return seriesIn(
    await app.call('POST', '/series', {
      token: client.token,
      body: {
        practitioner_id: practitioner.id,
        service_id: 1,
        appointment_type: 'online',
        weekday: first.getUTCDay() || 7,
        start: `${hour}:00`,
        every_weeks: 1,
        first_on: first.toISOString().slice(0, 10),
      },
    }),
  )
}

/** A proposal that its client agrees to. */
async function keepHour(
  app: TestApp,
  { card, ...between }: Between & { card: string },
  hour: Hour,
): Promise<string> {
  const { series_id: id, terms } = await propose(app, between, hour)
  const body = { customer_id: card, terms_version: terms?.version }
  const { token } = between.client
  return seriesIn(await app.call('POST', `/series/${id}/agree`, { token, body })).series_id
}

/** How many dates, sessions and booked times each series has. */
async function counts(app: TestApp): Promise<{ dates: number; sessions: number; times: number }[]> {
  const { rows } = await sql<{ dates: number; sessions: number; times: number }>`
    select (select count(*)::int from series_dates d where d.series_id = s.id and d.state = 'planned') as dates,
      (select count(*)::int from appointments a where a.series_id = s.id and a.state = 'reserved') as sessions,
      (select count(distinct r.during)::int from appointments a join reservations r on r.id = a.reservation_id
        where a.series_id = s.id and r.state = 'booked') as times
    from session_series s order by s.start_minute`.execute(app.db)
  return rows
}

test('kill -9 of the process that makes dates leaves whole series, and the next sweep makes the others', async () => {
  const { url, database } = await clusterDatabase(5)
  // The other process has the real clock, by which three dates of each series are missing.
  const clock = movableClock(later(new Date(), -days(21)).toISOString())
  const app = await buildTestApp({ database, clock, rateLimitScale: 1_000 })
  const practitioner = await createPractitioner(app)
  const client = await createClient(app)
  const card = await saveCard(app, client)
  // Their weekday is not that of the seventieth day, so that the time of day decides nothing.
  for (const hour of [10, 11, 12, 13, 14, 15, 16, 17]) {
    await keepHour(app, { practitioner, client, card }, { hour, daysAhead: 31 })
  }
  const before = await counts(app)
  expect(new Set(before.map(({ dates }) => dates)).size).toBe(1)
  const { gone } = await startCrashing(app, url, 'dates made', ['series.sweep'])
  expect(await gone).toBe('SIGKILL')
  const full = (before[0]?.dates ?? 0) + 3
  const crashed = await counts(app)
  expect(crashed.some(({ dates }) => dates === full)).toBe(true)
  expect(crashed.filter(({ dates }) => dates === full - 3).length).toBeGreaterThan(0)
  for (const { dates, sessions, times } of crashed) {
    expect([full - 3, full]).toContain(dates)
    expect([sessions, times]).toEqual([dates, dates])
  }
  clock.set(new Date())
  await app.services.series.sweep()
  await app.services.series.sweep()
  expect(await counts(app)).toEqual(before.map(() => ({ dates: full, sessions: full, times: full })))
  expect(await app.db.selectFrom('payment_intents').select('id').execute()).toEqual([])
  await app.close()
})

test('twenty clients and two sweeps that race for the hours of a series leave one reservation of each', async () => {
  const app = await buildTestApp({ database: (await clusterDatabase()).database, rateLimitScale: 1_000 })
  const practitioner = await createPractitioner(app)
  const client = await createClient(app)
  await keepHour(app, { practitioner, client, card: await saveCard(app, client) }, { hour: 10 })
  const others = await Promise.all(Array.from({ length: 20 }, () => createClient(app)))
  // The sweep was away for three weeks, so that public bookings reach the hours of its next dates.
  app.clock.set(later(app.clock.now(), days(21)))
  const { rows: lately } = await sql<{ on_date: string }>`
    select (max(on_date) + 7)::text as on_date from series_dates`.execute(app.db)
  const hour = `${lately[0]?.on_date}T09:00:00.000Z`
  const awake = await Promise.all(others.map((other) => signInAgain(app, other)))
  const hold = ({ token }: Client) =>
    app.call('POST', '/appointment/create-session', {
      token,
      body: {
        practitioner_id: practitioner.id,
        booking_type: 'schedule',
        service_id: 1,
        appointment_type: 'online',
        datetime: hour,
      },
    })
  const sweeps = [app.services.series.sweep(), app.services.series.sweep()]
  const held = await Promise.all(awake.map(hold))
  await Promise.all(sweeps)
  const winners = held.filter(({ status }) => status === 201)
  expect(held.filter(({ status }) => status !== 201).map(({ body }) => body.code)).toEqual(
    Array(20 - winners.length).fill('slot_taken'),
  )
  const { rows: dates } = await sql<{ state: string; live: number }>`
    select d.state, (select count(*)::int from reservations r where r.practitioner_id = ${practitioner.id}
        and r.state <> 'released'
        and r.during @> ((d.on_date + time '10:00') at time zone 'Europe/London')) as live
    from series_dates d order by d.on_date`.execute(app.db)
  expect(dates.every(({ live }) => live === 1)).toBe(true)
  expect(dates.filter(({ state }) => state === 'conflict')).toHaveLength(winners.length)
  expect(winners.length).toBeLessThanOrEqual(1)
  await app.close()
})

test('a booking that takes the discount of a referred client while a charge is announced has it alone', async () => {
  const app = await buildTestApp({ database: (await clusterDatabase()).database })
  const client = await createClient(app, { referral_code: (await createClient(app)).referralCode })
  const [one, other] = [await createPractitioner(app), await createPractitioner(app)]
  const id = await keepHour(
    app,
    { practitioner: one, client, card: await saveCard(app, client) },
    { hour: 10 },
  )
  const first = later(app.clock.now(), days(7)).toISOString().slice(0, 10)
  const path = `/series/${id}/dates/${first}/skip`
  expect((await app.call('POST', path, { token: client.token })).status).toBe(200)
  const start = later(app.clock.now(), days(14))
  start.setUTCHours(9, 0, 0, 0)
  app.clock.set(later(start, -days(3)).toISOString())
  const { token } = await signInAgain(app, client)
  const held = await app.call('POST', '/appointment/create-session', {
    token,
    body: {
      practitioner_id: other.id,
      booking_type: 'schedule',
      service_id: 1,
      appointment_type: 'online',
      datetime: later(start, days(1)).toISOString(),
    },
  })
  expect(held.status).toBe(201)
  const booking = String(held.body.session_id)
  const discount = (pence: number) =>
    app.db.updateTable('appointments').set({ discount_pence: pence }).where('id', '=', booking)
  await discount(0).execute()

  // The booking has the lock of its client and the discount, and commits once the announcement waits for it.
  let swept = Promise.resolve()
  await inTransaction(app.db, async (tx) => {
    await app.services.availability.lockClient(tx, client.id)
    await tx.executeQuery(discount(1200).compile())
    swept = app.services.reserved.sweep()
    for (let waits = false; !waits; ) {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        app.db,
      )
      waits = rows.length > 0
    }
  })
  await swept
  const { rows } = await sql<{ id: string }>`
    select id from appointments where client_id = ${client.id} and discount_pence > 0 and state <> 'cancelled'`.execute(
    app.db,
  )
  expect(rows).toEqual([{ id: booking }])
  const announced = await app.db
    .selectFrom('outgoing_mails')
    .select('template')
    .where('template', 'like', '%charge_ahead%')
    .execute()
  expect(announced).toHaveLength(1)
  await app.close()
})

test.each(['agree', 'change', 'restore', 'move', 'keep', 'extend'] as const)(
  'to %s waits for a suspension of the practitioner before it locks the series',
  async (act) => {
    const app = await buildTestApp({ database: (await clusterDatabase()).database })
    const [practitioner, client] = [await createPractitioner(app), await createClient(app)]
    const card = await saveCard(app, client)
    const { series_id: id, terms } = await propose(app, { practitioner, client }, { hour: 10 })
    const therapist = await signInPractitioner(app, practitioner)
    const first = later(app.clock.now(), days(7))
    const onDate = first.toISOString().slice(0, 10)
    first.setUTCHours(13, 0, 0, 0)
    const call = (path: string, body?: object) =>
      app.call('POST', `/series/${id}/${path}`, { token: client.token, body })
    const agree = () => call('agree', { customer_id: card, terms_version: terms?.version })
    if (act !== 'agree') expect((await agree()).status).toBe(200)
    if (act !== 'agree' && act !== 'change' && act !== 'extend') {
      expect((await call(`dates/${onDate}/skip`)).status).toBe(200)
    }
    if (act === 'move' || act === 'keep') {
      await app.db
        .updateTable('series_dates')
        .set({ state: 'conflict', appointment_id: null, conflict_cause: 'busy_elsewhere' })
        .where('on_date', '=', onDate)
        .execute()
    }
    if (act === 'extend') app.clock.set(later(app.clock.now(), days(21)))
    const acts = {
      agree,
      change: () => call('change', { from: onDate, weekday: 2, start: '15:00' }),
      restore: () => call(`dates/${onDate}/restore`),
      move: () => call(`dates/${onDate}/move`, { starts_at: first.toISOString() }),
      keep: () => app.call('POST', `/therapist/series/${id}/dates/${onDate}/keep`, { token: therapist }),
      extend: async () => ({ status: await app.services.series.sweep().then(() => 200) }),
    }
    let acted = Promise.resolve({ status: 0 })
    await inTransaction(app.db, async (tx) => {
      await app.services.practitioners.lock(tx, practitioner.id)
      acted = acts[act]()
      await untilOneWaits(app.db)
      // The suspension pauses every series of its practitioner now.
      await sql`select from session_series for update nowait`.execute(tx)
    })
    expect((await acted).status).toBe(200)
    await app.close()
  },
)
