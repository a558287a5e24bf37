import { randomBytes } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { type LogEvent, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { PractitionerQuery, type PractitionerList, sortOrders } from '#contract/search.ts'
import { choicesOf } from '#contract/search-filters.ts'
import { hours } from '#server/clock.ts'
import { openServer } from '#server/db/connection.ts'
import { demoPractitioners } from '#server/db/seed/demo.ts'
import { insertPractitioners } from '#server/db/seed/insert-practitioners.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { systemRandom } from '#server/ids.ts'
import { JsonText } from '#server/json-text.ts'
import { createSecrets } from '#server/secrets.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
import { bookSession, createAdmin, createClient, createPractitioner } from '#test/factories.ts'

const count = 300

describe('searches by the index, beside another instance that has none', () => {
  /**
   * `indexed` writes as well, its index in a thread of its own; `other` writes and searches by an index of its own in this
   * thread; `plain` searches by SQL.
   */
  let indexed: TestApp
  let other: TestApp
  let plain: TestApp

  beforeAll(async () => {
    const { url, database } = await clusterDatabase()
    const another = () => openServer(url, 5, () => undefined)
    const secrets = createSecrets([randomBytes(32)])
    plain = await buildTestApp({ database, secrets, searchIndex: 'off' })
    const { clock } = plain
    const now = clock.now()
    const people = [...demoPractitioners({ count, seed: 11, today: now.toISOString().slice(0, 10) })]
    await insertPractitioners(plain.db, people, 1, { now, random: systemRandom, passwordHashes: new Map() })
    await plain.services.search.rebuild(plain.db)
    indexed = await buildTestApp({ database: another(), clock, secrets, searchThread: true })
    other = await buildTestApp({ database: another(), clock, secrets })
  }, 60_000)
  afterAll(async () => {
    await indexed.close()
    await other.close()
    await plain.close()
  })

  const ask = async (app: TestApp, sent: Record<string, string>): Promise<PractitionerList> => {
    const answer = await app.services.search.find(PractitionerQuery.parse(sent))
    expect(answer instanceof JsonText).toBe(app !== plain)
    if (!(answer instanceof JsonText)) return answer
    // Pages get the values that the text is made of.
    expect(answer.value()).toEqual(answer.parsed())
    return answer.parsed()
  }
  const shown = ({ data, meta }: PractitionerList) => ({ data, meta })
  const ids = ({ data }: PractitionerList) => data.map((card) => card.practitioner_id)

  const ids3 = (max: number) =>
    fc.uniqueArray(fc.integer({ min: 1, max }), { minLength: 1, maxLength: 3 }).map((list) => list.join())
  const day = fc
    .integer({ min: -2, max: 60 })
    .map((ahead) => new Date(Date.parse('2026-06-01') + ahead * 86_400_000).toISOString().slice(0, 10))
  const pounds = fc.integer({ min: 20, max: 250 }).map(String)
  const parameters = {
    provider_id: ids3(9),
    issue_id: ids3(40),
    therapy_type_id: ids3(25),
    language_id: ids3(20),
    insurance_company_id: ids3(20),
    gender: fc.constantFrom('Male', 'Female', 'Non-binary'),
    pronouns: fc.constantFrom(...choicesOf('pronouns')),
    name: fc.constantFrom('grace', 'i', 'an', 'smiht', 'o', 'mar i', 'xyz'),
    min_price: pounds,
    max_price: pounds,
    session_type: fc.constantFrom(...choicesOf('session_type')),
    date_from: day,
    date_to: day,
    instant_booking: fc.constant('true'),
  }
  const names = Object.keys(parameters) as (keyof typeof parameters)[]
  const query = fc
    .tuple(
      fc.record(parameters),
      fc.subarray(names, { maxLength: 4 }),
      fc.constantFrom(...sortOrders),
      fc.constantFrom('1', '1', '2', '5'),
    )
    .map(
      ([all, kept, sort, page]): Record<string, string> => ({
        ...Object.fromEntries(kept.map((name) => [name, all[name]])),
        sort,
        page,
      }),
    )

  it('answers 2,000 random queries as SQL does', async () => {
    let found = 0
    for (const sent of fc.sample(query, { numRuns: 2000, seed: 19 })) {
      const [byThread, byIndex, bySql] = await Promise.all(
        [indexed, other, plain].map((app) => ask(app, sent)),
      )
      expect([sent, shown(byThread!)]).toEqual([sent, shown(bySql!)])
      expect([sent, shown(byIndex!)]).toEqual([sent, shown(bySql!)])
      found += bySql!.data.length
    }
    expect(found).toBeGreaterThan(5000)
  }, 180_000)

  it('counts for each value what a search for it finds', async () => {
    let counted = 0
    for (const sent of fc.sample(query, { numRuns: 6, seed: 5 })) {
      const { meta } = await ask(indexed, { ...sent, page: '1', counts: 'true' })
      expect(meta.counts?.exact).toBe(true)
      const counts = { ...meta.counts, exact: undefined, dates: undefined }
      for (const [filter, values] of Object.entries(counts)) {
        for (const [value, total] of Object.entries(values ?? {}).slice(0, 8)) {
          const chosen = await ask(plain, { ...sent, page: '1', [filter]: value })
          expect([sent, filter, value, total]).toEqual([sent, filter, value, chosen.meta.total])
          counted += total
        }
      }
    }
    expect(counted).toBeGreaterThan(300)
  })

  it('a suspended practitioner is gone from the next search here, and within a second elsewhere', async () => {
    const { token } = await createAdmin(indexed)
    const [id] = ids(await ask(indexed, { sort: 'rating' }))
    await ask(other, {})
    const body = { reason: 'A complaint is being looked into.' }
    const suspended = await indexed.call('POST', `/admin/practitioners/${id}/suspend`, { token, body })
    expect(suspended.status).toBe(200)
    expect(ids(await ask(indexed, { sort: 'rating' }))).not.toContain(id)
    indexed.clock.advance(1001)
    expect(ids(await ask(other, { sort: 'rating' }))).not.toContain(id)
    expect((await ask(other, {})).meta.total).toBe(count - 1)
  })

  it('differs from SQL while eight writers change, hold and book in what has just changed alone, and then in nothing', async () => {
    const rounds = 12
    /** Two rounds change the same practitioner, and no other writer does. */
    const changedBy = (writer: number, round: number) => 1 + writer * 30 + (round >> 1)
    const writers = Array.from({ length: 8 }, (_, writer) => writer)
    const unlisted = new Set(
      writers.flatMap((writer) => Array.from({ length: rounds }, (__, round) => changedBy(writer, round))),
    )
    const pages = await Promise.all(
      ['1', '2', '3'].map((page) => ask(plain, { sort: 'soonest', per_page: '50', page })),
    )
    const bookable = pages.flatMap(({ data }) => data).filter(({ practitioner_id: id }) => !unlisted.has(id))
    /** A time of a practitioner not taken before that is hours away from others. */
    const takeSession = (others: readonly string[]) => {
      const isFar = (start: string) =>
        others.every((each) => Math.abs(Date.parse(each) - Date.parse(start)) > hours(3))
      for (const [place, card] of bookable.entries()) {
        const start = card.next_starts.find(({ starts_at: each }) => isFar(each))
        if (!start) continue
        bookable.splice(place, 1)
        return { id: card.practitioner_id, ...start }
      }
      throw new Error('There are too few free times.')
    }
    const clients = await Promise.all(writers.map(() => createClient(plain)))
    /** When a practitioner was changed last, and where; endless while that is under way. */
    const changes = new Map<number, { at: number; app: TestApp }>()
    const change = async (app: TestApp, id: number, work: () => Promise<unknown>) => {
      changes.set(id, { at: Number.POSITIVE_INFINITY, app })
      await work()
      changes.set(id, { at: performance.now(), app })
    }
    let [booked, compared, isWriting] = [0, 0, true]
    const write = async (writer: number) => {
      const app = writer % 2 === 0 ? indexed : other
      const client = clients[writer]!
      const own: string[] = []
      for (let round = 0; round < rounds; round++) {
        if (round % 4 === 3) {
          const { id, starts_at: startsAt, appointment_type: type, service_id: serviceId } = takeSession(own)
          own.push(startsAt)
          const session = { practitioner: { id }, client, startsAt, type, serviceId }
          await change(app, id, () => (round === 3 ? hold(app, session) : bookSession(app, session)))
          booked++
          continue
        }
        const id = changedBy(writer, round)
        const until = new Date(round % 2 === 0 ? '2026-05-01' : '2027-05-01')
        await change(app, id, () =>
          inTransaction(app.db, (tx) => app.services.practitioners.setSubscribedUntil(tx, id, until)),
        )
      }
    }
    const compare = async () => {
      for (const sent of fc.sample(query, { numRuns: 2000, seed: 23 })) {
        if (!isWriting) return
        const whole = { ...sent, page: '1', per_page: '50', sort: 'recommended' }
        const before = await ask(plain, whole)
        const began = performance.now()
        const byIndex = await ask(indexed, whole)
        const after = await ask(plain, whole)
        if ([before, byIndex, after].some(({ meta }) => meta.total > 50)) continue
        const [first, shownThen, second] = [before, byIndex, after].map((list) => new Set(ids(list)))
        const all = new Set([...first!, ...shownThen!, ...second!])
        const different = [...all].filter(
          (id) => shownThen!.has(id) !== first!.has(id) && shownThen!.has(id) !== second!.has(id),
        )
        for (const id of different) {
          const last = changes.get(id)
          const known = last && began - last.at
          // What this instance commits is in its next answer.
          const allowed = last?.app === indexed ? 0 : 1000
          if (known === undefined || known > allowed)
            expect.fail(`${JSON.stringify(sent)}: ${id}, ${known} ms`)
        }
        if (all.size > 0) compared++
      }
    }
    await Promise.all([
      Promise.all(writers.map(write)).finally(() => {
        isWriting = false
      }),
      compare(),
    ])
    expect(booked).toBe(24)
    expect(compared).toBeGreaterThan(5)
    indexed.clock.advance(1001)
    for (const sent of fc.sample(query, { numRuns: 60, seed: 3 })) {
      const bySql = shown(await ask(plain, sent))
      expect([sent, shown(await ask(indexed, sent))]).toEqual([sent, bySql])
      expect([sent, shown(await ask(other, sent))]).toEqual([sent, bySql])
    }
  }, 60_000)
})

describe('an index in a thread of its own', () => {
  let test: TestApp
  let worker: Worker
  beforeAll(async () => {
    const begun = vi.spyOn(Worker.prototype, 'unref')
    test = await buildTestApp({ database: (await clusterDatabase()).database, searchThread: true })
    await createPractitioner(test)
    await createPractitioner(test)
    await find()
    worker = begun.mock.contexts[0] as Worker
    begun.mockRestore()
  })
  afterAll(() => test.close())
  const find = (sent: Record<string, string> = {}) =>
    test.services.search.find(PractitionerQuery.parse({ counts: 'true', ...sent }))
  const totalOf = (answer: PractitionerList | JsonText<PractitionerList>) =>
    (answer instanceof JsonText ? answer.parsed() : answer).meta.total
  const state = () => test.services.directory.figures().state

  it('SQL answers the searches under way when the index is given up, and the next ones go by a new index', async () => {
    const searches = Array.from({ length: 20 }, () => find())
    const bounds = test.services.search.filterData()
    // The searches have been passed to the thread by then.
    await vi.waitFor(() => expect(state()).toBe('live'))
    test.services.directory.distrust()
    for (const answer of await Promise.all(searches)) expect(totalOf(answer)).toBe(2)
    expect((await bounds).max_price).toBeGreaterThan(0)
    await vi.waitFor(async () => expect(await find()).toBeInstanceOf(JsonText))
    expect(totalOf(await find())).toBe(2)
  })

  it('a thread that ends by itself is replaced, and no search fails', async () => {
    const begun = vi.spyOn(Worker.prototype, 'unref')
    onTestFinished(() => begun.mockRestore())
    test.services.directory.distrust()
    await vi.waitFor(() => expect(state()).toBe('live'))
    const current = begun.mock.contexts.at(-1) as Worker
    expect(current).not.toBe(worker)
    const searches = Array.from({ length: 20 }, () => find())
    await current.terminate()
    for (const answer of await Promise.all(searches)) expect(totalOf(answer)).toBe(2)
    expect(test.logged()).toContain('The thread of the index of the directory ended.')
    expect(totalOf(await find())).toBe(2)
    expect(await find()).toBeInstanceOf(JsonText)
    expect(begun.mock.contexts.length).toBeGreaterThan(1)
  })
})

describe('a practitioner whose free time is marked as changed', () => {
  const statements: string[] = []
  let test: TestApp
  let id: number
  beforeAll(async () => {
    const log = (event: LogEvent) => void statements.push(event.query.sql)
    test = await buildTestApp({ database: (await clusterDatabase(5, log)).database })
    const practitioner = await createPractitioner(test, { hours: [10] })
    id = practitioner.id
  })
  afterAll(() => test.close())
  const ask = async (query = '') =>
    (await test.call('GET', `/practitioner/get-practitioners?${query}`)).body as unknown as PractitionerList
  const rowsRead = (from: number) =>
    statements.slice(from).filter((each) => each.includes('from practitioner_search s where')).length
  const nextFree = ({ data }: PractitionerList) => data[0]?.next_available.online
  const marked = async () => (await test.services.directory.current())?.ask('marked')

  it('is read by no search but one that shows or needs it', async () => {
    expect(nextFree(await ask())).toBe('2026-06-01T09:00:00.000Z')
    const [first, second] = [await createClient(test), await createClient(test)]
    const before = statements.length
    for (const [client, startsAt] of [
      [first, '2026-06-01T09:00:00Z'],
      [second, '2026-06-02T09:00:00Z'],
    ] as const) {
      await hold(test, { practitioner: { id }, client, startsAt, type: 'online', serviceId: 1 })
      expect((await ask('name=smith')).meta.total).toBe(0)
    }
    expect([await marked(), rowsRead(before)]).toEqual([[id], 0])
    expect(nextFree(await ask('sort=soonest'))).toBe('2026-06-03T09:00:00.000Z')
    expect([await marked(), rowsRead(before)]).toEqual([[], 1])
  })

  it.each(['sort=soonest', ''])(
    'is fresh after a search by "%s" where another instance has computed the row before the mark was heard of',
    async (query) => {
      const mark = () => inTransaction(test.db, async (tx) => test.services.directory.marked(tx, id))
      await mark()
      expect(await marked()).toEqual([id])
      const { meta } = await ask(query)
      expect(Date.parse(meta.fresh_until ?? '')).toBeGreaterThan(test.clock.now().getTime())
      expect(await marked()).toEqual([])
    },
  )
})

describe('the comparison with SQL', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp({ database: (await clusterDatabase()).database, searchShadow: 1 })
    await createPractitioner(test)
  })
  afterAll(() => test.close())
  const ask = async (query: string) =>
    (await test.call('GET', `/practitioner/get-practitioners?${query}`)).body as unknown as PractitionerList
  const figures = () => test.services.directory.figures()

  it('a difference that stays sends searches back to SQL, is counted without the query, and has the index built anew', async () => {
    expect((await ask('')).meta.total).toBe(1)
    await vi.waitFor(() => expect(figures()).toMatchObject({ state: 'live', compared: 1, differences: 0 }))
    // Without the trigger that marks a row as written, no index hears of it.
    await sql`alter table practitioner_search disable trigger user`.execute(test.db)
    await sql`update practitioner_search set min_fee_pence = 150, max_fee_pence = 150`.execute(test.db)
    const query = 'min_price=1&max_price=2'
    await vi.waitFor(
      async () => {
        await ask(query)
        expect(figures().differences).toBe(1)
      },
      { timeout: 10_000, interval: 200 },
    )
    expect((await ask(query)).meta.total).toBe(1)
    expect(figures()).toMatchObject({ state: 'live', differences: 1, practitioners: 1 })
    const { text } = await test.metrics.read()
    expect(text).toContain('hearth_search_comparisons_total{result="different"} 1')
    expect(test.logged()).toContain('The index and SQL differ in a search by price, recommended.')
    expect(test.logged()).not.toContain('max_price=2')
  })
})

/** Holds a session over HTTP. */
async function hold(
  app: TestApp,
  { practitioner, client, startsAt, type, serviceId }: Parameters<typeof bookSession>[1],
): Promise<void> {
  const { status } = await app.call('POST', '/appointment/create-session', {
    token: client.token,
    body: {
      practitioner_id: practitioner.id,
      booking_type: 'schedule',
      service_id: serviceId,
      datetime: startsAt,
      appointment_type: type,
    },
  })
  expect(status).toBe(201)
}
