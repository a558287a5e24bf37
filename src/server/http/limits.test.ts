import { afterEach, describe, expect, test } from 'vitest'
import { days, hours, minutes, seconds } from '#server/clock.ts'
import { ProductError } from '#server/errors.ts'
import { housekeepingJob } from '#server/jobs/housekeeping.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
import { createClient } from '#test/factories.ts'
import { createLimits, defineLimit } from './limits.ts'

let app: TestApp
afterEach(async () => app.close())

const limit = defineLimit('calls of a test', { hits: 5, window: hours(1) })

async function passes(work: Promise<unknown>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    if (!(error instanceof ProductError) || error.code !== 'too_many_requests') throw error
    return false
  }
}

describe('a limit', () => {
  test('lets through so many of each subject, and says when one more will pass', async () => {
    app = await buildTestApp()
    const limits = createLimits(app.db, app.clock, 1)
    for (let time = 0; time < 5; time++) expect(await passes(limits.use(limit, 'a'))).toBe(true)
    const refused = await limits.use(limit, 'a').then(
      () => undefined,
      (error: unknown) => error as ProductError,
    )
    expect(refused?.status).toBe(429)
    expect(await passes(limits.use(limit, 'b'))).toBe(true)
    app.clock.advance(seconds(refused?.retryAfter ?? 0) - seconds(1))
    expect(await passes(limits.use(limit, 'a'))).toBe(false)
    app.clock.advance(seconds(1))
    expect(await passes(limits.use(limit, 'a'))).toBe(true)
    expect(await passes(limits.use(limit, 'a'))).toBe(false)
  })

  test('holds across the edges of its windows, where one fades into the next', async () => {
    app = await buildTestApp()
    const limits = createLimits(app.db, app.clock, 20)
    const passedAt: number[] = []
    for (let step = 0; step < 36; step++) {
      for (let time = 0; time < 10; time++) {
        if (await passes(limits.use(limit, 'a'))) passedAt.push(app.clock.now().getTime())
      }
      app.clock.advance(minutes(5))
    }
    const inStretch = passedAt.map(
      (at) => passedAt.filter((each) => each >= at && each < at + hours(1)).length,
    )
    // A hundred are allowed. By weighing, a stretch across an edge may hold a few more; two full windows never fit.
    expect(Math.max(...inStretch)).toBeLessThanOrEqual(125)
    expect(passedAt.length).toBeGreaterThan(200)
  })

  test('counts a subject of any length', async () => {
    app = await buildTestApp()
    const limits = createLimits(app.db, app.clock, 1)
    const long = Array.from({ length: 200 }, () => crypto.randomUUID()).join()
    for (let time = 0; time < 5; time++) expect(await passes(limits.use(limit, long))).toBe(true)
    expect(await passes(limits.use(limit, long))).toBe(false)
    expect(await passes(limits.use(limit, `${long}.`))).toBe(true)
    await limits.clear(limit, long)
    expect(await passes(limits.use(limit, long))).toBe(true)
  })

  test('counts what is taken beforehand as it turns out', async () => {
    app = await buildTestApp()
    const limits = createLimits(app.db, app.clock, 1)
    for (let time = 0; time < 10; time++) await (await limits.take(limit, 'a')).giveBack()
    for (let time = 0; time < 4; time++) await (await limits.take(limit, 'a')).keep()
    // Forgiven, it takes along what was kept before, and no other that is still under way.
    const underWay = await limits.take(limit, 'b')
    await (await limits.take(limit, 'b')).keep()
    await (await limits.take(limit, 'b')).forgive()
    await underWay.keep()
    for (let time = 0; time < 4; time++) await (await limits.take(limit, 'b')).keep()
    expect(await passes(limits.take(limit, 'b'))).toBe(false)
    await (await limits.take(limit, 'a')).keep()
    expect(await passes(limits.take(limit, 'a'))).toBe(false)
    app.clock.advance(hours(2))
    expect(await passes(limits.take(limit, 'a'))).toBe(true)
  })

  test('waits for others under way rather than refusing, and refuses once they have counted', async () => {
    app = await buildTestApp()
    const limits = createLimits(app.db, app.clock, 1)
    const first = []
    for (let time = 0; time < 5; time++) first.push(await limits.take(limit, 'a'))
    let outcome = 'waiting'
    const sixth = limits.take(limit, 'a').then(
      (taken) => {
        outcome = 'taken'
        return taken
      },
      () => {
        outcome = 'refused'
        return undefined
      },
    )
    for (const taken of first.slice(0, 4)) await taken.keep()
    expect(outcome).toBe('waiting')
    await first[4]?.giveBack()
    await (await sixth)?.keep()
    expect(outcome).toBe('taken')
    expect(await passes(limits.take(limit, 'a'))).toBe(false)
  })

  test('counts one that a crash left under way, and does not wait for it for ever', async () => {
    app = await buildTestApp()
    const limits = createLimits(app.db, app.clock, 1)
    for (let time = 0; time < 5; time++) await limits.take(limit, 'a')
    const started = performance.now()
    expect(await passes(limits.take(limit, 'a'))).toBe(false)
    expect(performance.now() - started).toBeLessThan(15_000)
  })

  test('stores no plain subject', async () => {
    app = await buildTestApp()
    const limits = createLimits(app.db, app.clock, 1)
    await limits.use(limit, 'client somebody@example.test')
    await (await limits.take(limit, 'client somebody@example.test')).keep()
    const rows = await app.db.selectFrom('rate_limits').selectAll().execute()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain('somebody')
  })

  test('lets through exactly so many of fifty at once on a database with real concurrency', async () => {
    const { database } = await clusterDatabase()
    app = await buildTestApp({ database })
    const limits = createLimits(app.db, app.clock, 1)
    const passed = await Promise.all(Array.from({ length: 50 }, () => passes(limits.use(limit, 'a'))))
    expect(passed.filter(Boolean)).toHaveLength(5)
    const taken = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        passes(limits.take(limit, 'b').then((one) => (index % 5 === 0 ? one.giveBack() : one.keep()))),
      ),
    )
    // Five counted, and no request was refused before that, however many were given back.
    const counted = await app.db.selectFrom('rate_limits').select(['hits', 'under_way']).execute()
    expect(counted).toEqual([
      { hits: 5, under_way: 0 },
      { hits: 5, under_way: 0 },
    ])
    expect(taken.filter(Boolean).length).toBeGreaterThanOrEqual(5)
  })
})

test('housekeeping forgets old counts, keys and tokens, and nothing that still matters', async () => {
  app = await buildTestApp()
  const client = await createClient(app)
  const book = () =>
    app.call('POST', '/payment/sandbox/add-new-card', {
      token: client.token,
      headers: { 'idempotency-key': 'a key' },
      body: { card_number: '4242424242424242', expiry_month: 12, expiry_year: 2034, cvv_number: '123' },
    })
  const first = await book()
  expect(first.status).toBe(201)
  const left = async () => ({
    limits: (await app.db.selectFrom('rate_limits').select('bucket').execute()).length,
    keys: (await app.db.selectFrom('idempotency_keys').select('key').execute()).length,
    access: (await app.db.selectFrom('access_tokens').select('expires_at').execute()).length,
    refresh: (await app.db.selectFrom('refresh_tokens').select('expires_at').execute()).length,
  })
  const keepHouse = async () => {
    await app.queue.enqueue(app.db, housekeepingJob, {})
    await app.queue.drain()
  }
  const all = await left()
  expect(all).toMatchObject({ keys: 1, access: 1, refresh: 1 })
  expect(all.limits).toBeGreaterThan(0)
  await keepHouse()
  expect(await left()).toEqual(all)
  expect((await book()).body).toEqual(first.body)
  app.clock.advance(days(2))
  await keepHouse()
  expect(await left()).toEqual({ limits: 0, keys: 1, access: 0, refresh: 1 })
  app.clock.advance(days(6))
  await keepHouse()
  expect(await left()).toEqual({ limits: 0, keys: 0, access: 0, refresh: 1 })
})
