import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PractitionerQuery, type PractitionerList, sortOrders } from '#contract/search.ts'
import { choicesOf } from '#contract/search-filters.ts'
import { openServer } from '#server/db/connection.ts'
import { demoPractitioners } from '#server/db/seed/demo.ts'
import { insertPractitioners } from '#server/db/seed/insert-practitioners.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { systemRandom } from '#server/ids.ts'
import { JsonText } from '#server/json-text.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
import { createAdmin } from '#test/factories.ts'

const count = 300

describe('searches by the index, beside another instance that has none', () => {
  /** `indexed` writes as well; `other` writes and searches by an index of its own; `plain` searches by SQL. */
  let indexed: TestApp
  let other: TestApp
  let plain: TestApp

  beforeAll(async () => {
    const { url, database } = await clusterDatabase()
    const another = () => openServer(url, 5, () => undefined)
    plain = await buildTestApp({ database, searchIndex: 'off' })
    const { clock } = plain
    const now = clock.now()
    const people = [...demoPractitioners({ count, seed: 11, today: now.toISOString().slice(0, 10) })]
    await insertPractitioners(plain.db, people, 1, { now, random: systemRandom, passwordHashes: new Map() })
    await plain.services.search.rebuild(plain.db)
    indexed = await buildTestApp({ database: another(), clock })
    other = await buildTestApp({ database: another(), clock })
  }, 60_000)
  afterAll(async () => {
    await indexed.close()
    await other.close()
    await plain.close()
  })

  const ask = async (app: TestApp, sent: Record<string, string>): Promise<PractitionerList> => {
    const answer = await app.services.search.find(PractitionerQuery.parse(sent))
    expect(answer instanceof JsonText).toBe(app !== plain)
    return answer instanceof JsonText ? answer.value() : answer
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
      const [byIndex, bySql] = await Promise.all([ask(indexed, sent), ask(plain, sent)])
      expect([sent, shown(byIndex)]).toEqual([sent, shown(bySql)])
      found += bySql.data.length
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

  it('agrees with SQL after eight writers on two instances', async () => {
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      const app = writer % 2 === 0 ? indexed : other
      for (let round = 0; round < 12; round++) {
        const id = 1 + ((writer * 37 + round * 11) % (count - 1))
        await inTransaction(app.db, async (tx) => {
          if (round % 3 === 0) await app.services.search.markFreeTime(tx, id)
          else {
            const until = new Date(round % 3 === 1 ? '2026-05-01' : '2027-05-01')
            await app.services.practitioners.setSubscribedUntil(tx, id, until)
          }
        })
      }
    })
    await Promise.all(writers)
    indexed.clock.advance(1001)
    for (const sent of fc.sample(query, { numRuns: 60, seed: 3 })) {
      const bySql = shown(await ask(plain, sent))
      expect([sent, shown(await ask(indexed, sent))]).toEqual([sent, bySql])
      expect([sent, shown(await ask(other, sent))]).toEqual([sent, bySql])
    }
  }, 60_000)
})
