import { type LogEvent, sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Database, openServer } from '#server/db/connection.ts'
import { buildTestApp, type TestApp } from './build-test-app.ts'
import { startCuttingProxy } from './cutting-proxy.ts'
import { bookSession, type Client, createClient, createPractitioner, signInAgain } from './factories.ts'
import { type Cluster, type Replica, startCluster, startReplica } from './private-cluster.ts'
import { prepare } from './test-database.ts'

/* The product on a primary and its streaming replica: what is read where, and what happens while the replica is away. */

const maxAge = 1000

let cluster: Cluster
let replica: Replica
/** As the replica's superuser. */
let onReplica: Database
let app: TestApp
let client: Client
let practitionerId: number
let sessionId: string

/** Statements by server since the last look. */
const sent: Record<'primary' | 'replica', string[]> = { primary: [], replica: [] }
const note =
  (server: keyof typeof sent) =>
  ({ query }: LogEvent) => {
    // What measures the replica's age is no reading.
    if (!/pg_is_in_recovery/.test(query.sql)) sent[server].push(query.sql)
  }
const forget = () => {
  for (const statements of Object.values(sent)) statements.length = 0
}

beforeAll(async () => {
  cluster = await startCluster()
  const template = openServer(cluster.url, 2, () => undefined, { limits: 'none' })
  await prepare(template)
  await template.close()
  replica = await startReplica(cluster)
  onReplica = openServer(replica.url, 1, () => undefined, { limits: 'none' })
  app = await buildTestApp({
    database: openServer(cluster.url, 10, () => undefined, { log: note('primary') }),
    replica: {
      database: openServer(replica.url, 5, () => undefined, { log: note('replica') }),
      maxAge,
    },
  })
  client = await createClient(app)
  const practitioner = await createPractitioner(app)
  practitionerId = practitioner.id
  sessionId = await bookSession(app, { practitioner, client, startsAt: '2026-06-08T09:00:00Z' })
  app.clock.set('2026-06-09T12:00:00Z')
  await app.services.bookings.sweep()
  client = await signInAgain(app, client)
}, 120_000)

afterAll(async () => {
  await app.close()
  await onReplica.close()
  await replica.stop()
  await cluster.stop()
})

const profile = async () => {
  const answer = await app.call('GET', `/practitioner/${practitionerId}/profile`)
  expect(answer.status).toBe(200)
  return answer.body
}
const comments = async () =>
  ((await profile()).reviews_list as unknown as { comment: string }[]).map(({ comment }) => comment)
const review = (method: 'POST' | 'PUT', comment: string) =>
  app.call(method, `/appointment/${sessionId}/review`, { token: client.token, body: { rating: 4, comment } })
const exported = () => app.call('GET', '/client/export', { token: client.token })
const of = (server: keyof typeof sent, pattern: RegExp) => sent[server].filter((text) => pattern.test(text))

const isReadFrom = (server: keyof typeof sent) =>
  vi.waitFor(
    async () => {
      forget()
      await profile()
      expect(of(server, /"?reviews"? /)).toContainEqual(expect.stringContaining('hidden_at'))
    },
    { timeout: 15_000, interval: 100 },
  )
const figure = async (name: string) => {
  const { text } = await app.metrics.read()
  const value = new RegExp(`^${name.replaceAll(/[{}"]/g, '\\$&')} (\\S+)$`, 'm').exec(text)?.[1]
  return Number(value?.replace('+Inf', 'Infinity'))
}

test('reviews and exports are read from the replica, and what decides or is signed in from the primary', async () => {
  await isReadFrom('replica')
  await vi.waitFor(async () =>
    expect(await figure('hearth_replica_age_seconds')).toBeLessThanOrEqual(maxAge / 1000),
  )
  forget()
  await profile()
  expect(of('replica', /practitioners|locations|weekly_hours|reservations/)).toEqual([])
  expect(of('primary', /practitioners/)).not.toEqual([])

  // On a busy machine the replica's age may just not be known.
  await vi.waitFor(
    async () => {
      forget()
      const { status, body } = await exported()
      expect(status).toBe(200)
      expect(JSON.stringify(body)).toContain(client.email)
      expect(of('replica', /chat_messages/)).not.toEqual([])
      expect(of('replica', /^\s*(insert|update|delete|begin)/i)).toEqual([])
      expect(of('primary', /login_sessions/)).not.toEqual([])
      expect(of('primary', /chat_messages/)).toEqual([])
    },
    { timeout: 15_000, interval: 100 },
  )
  expect(await figure('hearth_reads_total{server="replica"}')).toBeGreaterThan(0)
})

test('a review shows on the next request although the replica has not heard of it', async () => {
  await isReadFrom('replica')
  await sql`select pg_wal_replay_pause()`.execute(onReplica.db)
  try {
    expect((await review('POST', 'Kind and clear.')).status).toBe(201)
    expect(await comments()).toEqual(['Kind and clear.'])
    // Once the replica may be read again for this practitioner, it is too old.
    await new Promise((resolve) => setTimeout(resolve, maxAge + 100))
    expect(await comments()).toEqual(['Kind and clear.'])
    expect((await exported()).status).toBe(200)
    expect(await figure('hearth_replica_age_seconds')).toBeGreaterThan(maxAge / 1000)
    expect(app.logged()).toContain('The replica is away or behind: everything is read from the primary.')
  } finally {
    await sql`select pg_wal_replay_resume()`.execute(onReplica.db)
  }
  await isReadFrom('replica')
  expect(await comments()).toEqual(['Kind and clear.'])
})

test('a replica that breaks down costs no request, and is read from again once it is back', async () => {
  await isReadFrom('replica')
  const reading = Array.from({ length: 20 }, async () => {
    const statuses: number[] = []
    for (let time = 0; time < 10; time++) {
      const answer = await app.call('GET', `/practitioner/${practitionerId}/profile`)
      statuses.push(answer.status)
    }
    return statuses
  })
  await replica.halt()
  expect(new Set((await Promise.all(reading)).flat())).toEqual(new Set([200]))
  const begun = performance.now()
  expect((await exported()).status).toBe(200)
  expect(await comments()).toEqual(['Kind and clear.'])
  // Nothing waits for a server that is known to be away.
  expect(performance.now() - begun).toBeLessThan(maxAge)
  await replica.start()
  await isReadFrom('replica')
  expect(app.logged()).toContain('The replica is up to date: it is read from.')
})

test('work of several statements goes once more to the primary where the replica ends it, and its own errors stay', async () => {
  await isReadFrom('replica')
  const servers: boolean[] = []
  const work = app.reads.whole(async (db) => {
    const { rows } = await sql<{ isReplica: boolean }>`select pg_is_in_recovery() as "isReplica"`.execute(db)
    servers.push(rows[0]?.isReplica ?? false)
    if (rows[0]?.isReplica) await sql`select pg_terminate_backend(pg_backend_pid())`.execute(db)
    return 'done'
  })
  expect(await work).toBe('done')
  expect(servers).toEqual([true, false])
  await isReadFrom('replica')
  let times = 0
  const refused = app.reads.whole(async (db) => {
    times += 1
    await sql`select 1 / 0`.execute(db)
  })
  await expect(refused).rejects.toThrow('division by zero')
  expect(times).toBe(1)
  await expect(
    sql`insert into installation (key, value) values ('a', 'b')`.execute(app.reads.db),
  ).rejects.toThrow('read-only')
  await expect(app.reads.db.transaction().execute(async () => undefined)).rejects.toThrow(
    'without a transaction',
  )
})

const card = async (of: Pick<TestApp, 'call'> = app) => {
  const { body } = await of.call('GET', '/practitioner/get-practitioners')
  const cards = body.data as unknown as { id: number; reviews_total: number }[]
  return { total: body.meta?.total, reviews: cards[0]?.reviews_total }
}

test('the index of the directory and its cards are read from the replica, and a change shows on the next search', async () => {
  await isReadFrom('replica')
  forget()
  // Its index is built by its first search.
  const other = await buildTestApp({
    database: openServer(cluster.url, 5, () => undefined, { log: note('primary') }),
    replica: { database: openServer(replica.url, 5, () => undefined, { log: note('replica') }), maxAge },
    clock: app.clock,
  })
  await other.reads.whole(async () => undefined)
  expect(await card(other)).toEqual({ total: 1, reviews: 1 })
  expect(of('replica', /from practitioner_search/)).not.toEqual([])
  expect(of('replica', /card/)).not.toEqual([])
  await sql`select pg_wal_replay_pause()`.execute(onReplica.db)
  try {
    expect(
      (await app.call('DELETE', `/appointment/${sessionId}/review`, { token: client.token })).status,
    ).toBe(200)
    expect(await card()).toEqual({ total: 1, reviews: 0 })
    await vi.waitFor(async () => expect(await card(other)).toEqual({ total: 1, reviews: 0 }))
  } finally {
    await sql`select pg_wal_replay_resume()`.execute(onReplica.db)
    await other.close()
  }
  expect((await review('POST', 'Kind and clear.')).status).toBe(201)
})

test('a replica that has become a primary of its own is not read from', async () => {
  await isReadFrom('replica')
  const proxy = await startCuttingProxy()
  proxy.leadTo(cluster.url)
  const address = new URL(cluster.url)
  address.port = new URL(proxy.origin).port
  const moved = await buildTestApp({
    database: openServer(address.href, 5, () => undefined, { name: 'moved' }),
    clock: app.clock,
  })
  await replica.promote()
  await isReadFrom('primary')
  // An instance that goes on with the new primary finds nothing that this one never had.
  await createPractitioner(app)
  expect((await card(moved)).total).toBe(2)
  proxy.leadTo(replica.url)
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'moved'`.execute(
    app.db,
  )
  await vi.waitFor(async () => expect((await card(moved)).total).toBe(1), { timeout: 15_000, interval: 100 })
  await moved.close()
  await proxy.close()

  expect((await review('PUT', 'Kind, clear and on time.')).status).toBe(200)
  await new Promise((resolve) => setTimeout(resolve, maxAge + 100))
  expect(await comments()).toEqual(['Kind, clear and on time.'])
})
