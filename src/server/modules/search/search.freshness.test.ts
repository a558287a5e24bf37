import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PractitionerList } from '#contract/search.ts'
import { hours } from '#server/clock.ts'
import type { Tx } from '#server/db/connection.ts'
import { demoPractitioners } from '#server/db/seed/demo.ts'
import { insertPractitioners } from '#server/db/seed/insert-practitioners.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { systemRandom } from '#server/ids.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
import {
  bookSession,
  type Client,
  createClient,
  createPractitioner,
  signInPractitioner,
} from '#test/factories.ts'

describe.each(['off', 'awaited'] as const)('the search as time goes by, index %s', (searchIndex) => {
  let test: TestApp
  beforeEach(async () => {
    test = await buildTestApp({ searchIndex })
  })
  afterEach(() => test.close())

  const ask = async (query = ''): Promise<PractitionerList> =>
    (await test.call('GET', `/practitioner/get-practitioners?${query}`)).body as never

  it('shows the next free time that is right at this moment', async () => {
    // Monday 1 June 2026, 09:00 in London: 10:00 can still be booked, a second later 11:00 is next.
    await createPractitioner(test, { hours: [10, 11] })
    expect((await ask()).data[0]?.next_available.online).toBe('2026-06-01T09:00:00.000Z')
    test.clock.advance(1000)
    expect((await ask()).data[0]?.next_available.online).toBe('2026-06-01T10:00:00.000Z')
    test.clock.advance(hours(1))
    expect((await ask('date_to=2026-06-01')).meta.total).toBe(0)
    expect((await ask('date_from=2026-06-02&date_to=2026-06-02')).meta.total).toBe(1)
    expect((await ask('sort=soonest')).data[0]?.next_available.online).toBe('2026-06-02T09:00:00.000Z')
  })

  it('names the next four starts, each with the shortest service, and keeps them up to date', async () => {
    const practitioner = await createPractitioner(test, {
      hours: [10, 11],
      services: [
        { service_id: 1, appointment_type: 'online', duration_minutes: 60, fee_pence: 6000 },
        { service_id: 2, appointment_type: 'online', duration_minutes: 30, fee_pence: 7000 },
      ],
    })
    const starts = async (query = '') => {
      const [found] = (await ask(query)).data
      expect(new Set(found?.next_starts.map((start) => start.service_id))).toEqual(new Set([2]))
      return found?.next_starts.map((start) => start.starts_at.slice(5, 13))
    }
    expect(await starts()).toEqual(['06-01T09', '06-01T10', '06-02T09', '06-02T10'])
    expect((await ask()).meta.fresh_until).toBe('2026-06-01T08:00:00.001Z')
    test.clock.advance(1000)
    expect(await starts()).toEqual(['06-01T10', '06-02T09', '06-02T10', '06-03T09'])
    const client = await createClient(test)
    await bookSession(test, { practitioner, client, startsAt: '2026-06-02T09:00:00Z' })
    const afterBooking = ['06-01T10', '06-02T10', '06-03T09', '06-03T10']
    expect(await starts()).toEqual(afterBooking)
    expect(await starts('session_type=online')).toEqual(afterBooking)

    // Starts that are unknown are computed when they are read.
    await test.db.updateTable('practitioner_search').set({ rank: 1, next_starts: null }).execute()
    await test.services.search.catchUp()
    const kept = () => test.db.selectFrom('practitioner_search').select('next_starts').executeTakeFirst()
    expect((await kept())?.next_starts).toBeNull()
    expect(await starts()).toEqual(afterBooking)
    expect((await kept())?.next_starts).toHaveLength(4)
  })

  it('knows of a booking and of its cancellation at once', async () => {
    const practitioner = await createPractitioner(test, { hours: [12] })
    const client = await createClient(test)
    const session = await bookSession(test, { practitioner, client, startsAt: '2026-06-01T11:00:00Z' })
    expect((await ask('date_to=2026-06-01')).meta.total).toBe(0)
    const cancelled = await test.call('POST', '/appointment/cancel-session', {
      token: client.token,
      body: { appointment_id: session },
    })
    expect(cancelled.status).toBe(200)
    expect((await ask('date_to=2026-06-01')).meta.total).toBe(1)
  })

  it('the search drops a practitioner the moment the subscription ends, and the job deletes the row', async () => {
    const until = new Date(test.clock.now().getTime() + hours(1))
    const { id } = await createPractitioner(test, { subscribedUntil: until })
    expect((await ask()).meta.total).toBe(1)
    test.clock.set(until)
    expect((await ask()).meta.total).toBe(0)
    expect((await test.call('GET', `/practitioner/${id}/profile`)).status).toBe(404)
    await test.services.search.refresh()
    expect(await test.db.selectFrom('practitioner_search').select('practitioner_id').execute()).toEqual([])
    await inTransaction(test.db, (tx) =>
      test.services.practitioners.setSubscribedUntil(tx, id, new Date('2027-01-01T00:00:00Z')),
    )
    expect((await ask()).meta.total).toBe(1)
  })

  it('finds a practitioner by pronouns from the moment they are saved until they are taken away', async () => {
    const practitioner = await createPractitioner(test, { password: 'three quiet lanterns' })
    const { id } = practitioner
    const token = await signInPractitioner(test, practitioner)
    const save = (pronouns: string) =>
      test.call('PUT', '/therapist/update-profile', { token, body: { pronouns } })
    const shown = async () => (await test.call('GET', `/practitioner/${id}/profile`)).body.pronouns
    expect([(await ask('pronouns=she/they')).meta.total, await shown()]).toEqual([0, null])
    expect((await save('she/they')).status).toBe(200)
    expect([(await ask('pronouns=she/they')).meta.total, await shown()]).toEqual([1, 'she/they'])
    expect((await ask('pronouns=they/them')).meta.total).toBe(0)
    expect((await save('Whatever')).status).toBe(422)
    expect([(await ask('pronouns=she/they')).meta.total, await shown()]).toEqual([1, 'she/they'])
    expect((await save('')).status).toBe(200)
    expect([(await ask('pronouns=she/they')).meta.total, await shown()]).toEqual([0, null])
  })

  it('forgets the marks of a practitioner who is no longer listed', async () => {
    const { id } = await createPractitioner(test, {
      subscribedUntil: new Date(test.clock.now().getTime() + 1),
    })
    test.clock.advance(hours(1))
    await inTransaction(test.db, (tx) => test.services.search.markFreeTime(tx, id))
    await test.services.search.refresh()
    expect(await test.db.selectFrom('practitioner_search').selectAll().execute()).toEqual([])
    expect(await test.db.selectFrom('practitioner_search_marks').selectAll().execute()).toEqual([])
  })

  it('refreshes every row by the job', async () => {
    await createPractitioner(test)
    await createPractitioner(test, { hours: [] })
    test.clock.advance(hours(30))
    await test.services.search.refresh()
    const stale = await test.db
      .selectFrom('practitioner_search')
      .select('practitioner_id')
      .where('fresh_until', '<=', test.clock.now())
      .execute()
    expect(stale).toEqual([])
  })
})

it('the job refreshes every row but those that others have locked', async () => {
  const test = await buildTestApp({ database: (await clusterDatabase()).database })
  try {
    const now = test.clock.now()
    const people = [...demoPractitioners({ count: 250, seed: 11, today: now.toISOString().slice(0, 10) })]
    await insertPractitioners(test.db, people, 1, { now, random: systemRandom, passwordHashes: new Map() })
    await test.services.search.rebuild(test.db)
    await test.db
      .updateTable('practitioner_search')
      .set({ fresh_until: new Date(0) })
      .execute()
    const stale = async () => {
      const { rows } = await sql`select from practitioner_search where fresh_until <= ${now}`.execute(test.db)
      return rows.length
    }
    const before = await stale()
    expect(before).toBeGreaterThan(200)
    await inTransaction(test.db, async (tx) => {
      await sql`select from practitioner_search order by fresh_until limit 1 for update`.execute(tx)
      await test.services.search.refresh()
      expect(await stale()).toBe(1)
    })
  } finally {
    await test.close()
  }
})

describe('the limit on searches', () => {
  it('answers one address 429 with a time to come back, and others as ever', async () => {
    // 600 a minute, scaled down to 3.
    const test = await buildTestApp({ rateLimitScale: 0.005 })
    const search = (address: string) =>
      test.call('GET', '/practitioner/get-practitioners', { headers: { 'x-forwarded-for': address } })
    for (let time = 0; time < 3; time++) expect((await search('192.0.2.1')).status).toBe(200)
    const refused = await search('192.0.2.1')
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await search('192.0.2.2')).status).toBe(200)
    await test.close()
  })
})

describe('the search on a database with real concurrency', () => {
  it('ends up right when many times of one practitioner are taken at once', async () => {
    const { database } = await clusterDatabase()
    const test = await buildTestApp({ database })
    const practitioner = await createPractitioner(test, { hours: [10, 11, 12, 13, 14, 15, 16, 17] })
    const clients = await Promise.all(Array.from({ length: 8 }, () => createClient(test)))
    await Promise.all(
      clients.map((client, index) =>
        bookSession(test, {
          practitioner,
          client,
          startsAt: `2026-06-02T${String(9 + index).padStart(2, '0')}:00:00Z`,
        }),
      ),
    )
    await test.services.search.refresh()
    const row = await test.db
      .selectFrom('practitioner_search')
      .select(['free_days_online', 'next_free_online'])
      .executeTakeFirstOrThrow()
    const now = test.clock.now()
    const outlook = (await test.services.availability.outlook(test.db, [practitioner.id], now)).get(
      practitioner.id,
    )
    expect(row.free_days_online).toEqual(outlook?.freeDays.online)
    expect(row.free_days_online).not.toContain(20_606)
    await test.close()
  })
  it('computes free time anew for a change that is committed while the row is refreshed', async () => {
    const { database } = await clusterDatabase()
    const test = await buildTestApp({ database })
    const practitioner = await createPractitioner(test, { hours: [12] })
    const clients = await Promise.all([createClient(test), createClient(test)])
    const found = async (date: string) =>
      (await test.call('GET', `/practitioner/get-practitioners?date_from=${date}&date_to=${date}`)).body.meta
    const marks = () => test.db.selectFrom('practitioner_search_marks').selectAll().execute()
    const { availability } = test.services
    const hold = async (tx: Tx, client: Client, datetime: string) => {
      const whose = { practitionerId: practitioner.id, clientId: client.id, startsAt: new Date(datetime) }
      const facts = await availability.beginHold(tx, whose)
      const wanted = { ...whose, durationMinutes: 50, appointmentType: 'online' as const }
      const expiresAt = new Date('2026-06-01T08:10:00Z')
      await availability.hold(tx, { ...wanted, expiresAt }, facts, 'at once')
    }
    const begun = Promise.withResolvers<void>()
    const refreshed = Promise.withResolvers<void>()
    const slow = inTransaction(test.db, async (tx) => {
      await hold(tx, clients[0]!, '2026-06-02T11:00:00Z')
      begun.resolve()
      await refreshed.promise
    })
    await begun.promise
    await inTransaction(test.db, (tx) => hold(tx, clients[1]!, '2026-06-03T11:00:00Z'))
    expect(await marks()).toHaveLength(1)
    expect(await found('2026-06-03')).toMatchObject({ total: 0 })
    expect(await marks()).toEqual([])
    expect(await found('2026-06-02')).toMatchObject({ total: 1 })
    refreshed.resolve()
    await slow
    expect(await found('2026-06-02')).toMatchObject({ total: 0 })
    expect(await marks()).toEqual([])
    await test.close()
  })
})
