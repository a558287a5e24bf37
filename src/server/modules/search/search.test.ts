import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PractitionerCard } from '#contract/practitioners/practitioners.ts'
import { type PractitionerList, sortOrders } from '#contract/search.ts'
import { choicesOf } from '#contract/search-filters.ts'
import { demoPractitioners } from '#server/db/seed/demo.ts'
import type { DemoPractitioner } from '#server/db/seed/demo/types.ts'
import { insertPractitioners } from '#server/db/seed/insert-practitioners.ts'
import { systemRandom } from '#server/ids.ts'
import type { Outlook } from '#server/modules/availability/availability.rules.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
import { distance } from '#test/edit-distance.ts'
import { createPractitioner } from '#test/factories.ts'
import { nameWords, typedWords } from './names.rules.ts'
import { dayNumber } from '../../clock.ts'

const count = 90
type Query = Record<string, string>
type Known = { person: DemoPractitioner; id: number; outlook: Outlook }

const genders: Record<string, number> = { Male: 1, Female: 2, 'Non-binary': 3 }

describe.each([
  ['embedded', 'awaited'],
  ['embedded', 'off'],
  ['server', 'awaited'],
  ['server', 'off'],
] as const)('search on the %s database, index %s', (kind, searchIndex) => {
  let test: TestApp
  let known: Known[]
  let today: number

  beforeAll(async () => {
    test = await buildTestApp({
      searchIndex,
      ...(kind === 'server' ? { database: (await clusterDatabase()).database } : {}),
    })
    const now = test.clock.now()
    const people = [...demoPractitioners({ count, seed: 7, today: now.toISOString().slice(0, 10) })]
    await insertPractitioners(test.db, people, 1, { now, random: systemRandom, passwordHashes: new Map() })
    await test.services.search.rebuild(test.db)
    today = dayNumber(now.toISOString().slice(0, 10))
    const ids = people.map((_, index) => index + 1)
    const outlooks = await test.services.availability.outlook(test.db, ids, now)
    known = people.map((person, index) => {
      const outlook = outlooks.get(index + 1)
      if (!outlook) throw new Error('Somebody is not listed.')
      return { person, id: index + 1, outlook }
    })
  })
  afterAll(() => test.close())

  const ask = async (query: Query) => {
    const answer = await test.call(
      'GET',
      `/practitioner/get-practitioners?${new URLSearchParams(query).toString()}`,
    )
    expect(answer.status).toBe(200)
    return answer.body as unknown as {
      data: PractitionerCard[]
      meta: {
        total: number
        relax?: { filter: string; total: number }[]
        min_price: number
        max_price: number
      }
    }
  }

  const matches = (query: Query, { person, outlook }: Known): boolean => {
    const among = (parameter: string, values: readonly number[]) => {
      const wanted = (query[parameter] ?? '').split(',').filter(Boolean).map(Number)
      return wanted.length === 0 || wanted.some((id) => values.includes(id))
    }
    const fees = person.services
      .filter((service) => !query.session_type || service.appointmentType === query.session_type)
      .map((service) => service.feePence / 100)
    const offers = (type: string) => person.services.some((service) => service.appointmentType === type)
    const words = nameWords(`${person.firstName} ${person.lastName}`)
    const dated = query.instant_booking === 'true' || query.date_from || query.date_to
    const from = Math.max(today, query.date_from ? dayNumber(query.date_from) : today)
    const to = query.date_to ? dayNumber(query.date_to) : from + 7
    const days = [
      ...(query.session_type === 'face_to_face' ? [] : outlook.freeDays.online),
      ...(query.session_type === 'online' ? [] : outlook.freeDays.face_to_face),
    ]
    const gender = genders[query.gender ?? '']
    return (
      among('provider_id', person.providerTypeIds) &&
      among('issue_id', person.issueIds) &&
      among('therapy_type_id', person.therapyTypeIds) &&
      among('language_id', person.languageIds) &&
      among('insurance_company_id', person.insuranceCompanyIds) &&
      (gender === undefined || person.genderId === gender) &&
      (!query.pronouns || person.pronouns === query.pronouns) &&
      (!query.session_type || offers(query.session_type)) &&
      Math.min(...fees) <= Number(query.max_price || 1e6) &&
      Math.max(...fees) >= Number(query.min_price || 0) &&
      (!dated || days.some((day) => day >= from && day <= to)) &&
      typedWords(query.name ?? '').every((typed) => words.some((word) => near(typed, word)))
    )
  }

  const near = (typed: string, word: string) => {
    const parts: string[] = [word]
    for (let start = 0; start < word.length; start++) {
      for (let end = start + 1; end <= word.length; end++) parts.push(word.slice(start, end))
    }
    return (
      word.includes(typed) ||
      (typed.length >= 3 && distance(typed, word) <= 1) ||
      (typed.length >= 5 && parts.some((part) => distance(typed, part) <= 1))
    )
  }

  const ids = (max: number) =>
    fc.uniqueArray(fc.integer({ min: 1, max }), { minLength: 1, maxLength: 4 }).map((list) => list.join(','))
  const date = fc
    .integer({ min: -3, max: 70 })
    .map((ahead) => new Date((dayNumber('2026-06-01') + ahead) * 86_400_000).toISOString().slice(0, 10))
  /** A part of a practitioner's name, at times with a mistake. */
  const typedName = fc
    .tuple(
      fc.nat(),
      fc.nat(),
      fc.integer({ min: 1, max: 14 }),
      fc.constantFrom('', 'swap', 'drop', 'wrong'),
      fc.nat(),
    )
    .map(([who, start, length, mistake, at]) => {
      const { firstName, lastName } = known[who % known.length]!.person
      const full = `${firstName} ${lastName}`
      const part = full.slice(start % full.length, (start % full.length) + length)
      const spot = at % part.length
      const rest = part.slice(spot + 2)
      if (mistake === 'swap') return part.slice(0, spot) + (part[spot + 1] ?? '') + (part[spot] ?? '') + rest
      if (mistake === 'drop') return part.slice(0, spot) + part.slice(spot + 1)
      if (mistake === 'wrong') return `${part.slice(0, spot)}q${part.slice(spot + 1)}`
      return part.toUpperCase()
    })
  const price = fc.integer({ min: 0, max: 420 }).map(String)
  const query = () =>
    fc.record(
      {
        provider_id: ids(9),
        issue_id: ids(40),
        therapy_type_id: ids(25),
        language_id: ids(20),
        insurance_company_id: ids(20),
        gender: fc.constantFrom('Male', 'Female', 'Non-binary', "it doesn't matter"),
        pronouns: fc.constantFrom(...choicesOf('pronouns'), ''),
        name: typedName,
        min_price: price,
        max_price: price,
        session_type: fc.constantFrom('online', 'face_to_face'),
        date_from: date,
        date_to: date,
        instant_booking: fc.constantFrom('true', 'false'),
        sort: fc.constantFrom(...sortOrders),
      },
      { requiredKeys: [] },
    )
  /** Few filters at a time, so that most queries have matches. */
  const fewFilters = () =>
    fc.tuple(query(), fc.array(fc.nat(), { minLength: 1, maxLength: 3 })).map(([full, picks]) => {
      const keys = Object.keys(full)
      const kept = new Set(picks.map((pick) => keys[pick % Math.max(1, keys.length)]))
      return Object.fromEntries<string>(
        Object.entries(full).filter(([key]) => kept.has(key) || key === 'sort'),
      )
    })

  it('finds exactly those who match every filter, with the exact total', async () => {
    let found = 0
    const numRuns = searchIndex === 'awaited' && kind === 'embedded' ? 250 : 60
    await fc.assert(
      fc.asyncProperty(fc.oneof(fewFilters(), query()), async (sent) => {
        const wanted = sent as Query
        const expected = known.filter((each) => matches(wanted, each)).map((each) => each.id)
        const pages = [await ask({ ...wanted, per_page: '50' })]
        if (expected.length > 50) pages.push(await ask({ ...wanted, per_page: '50', page: '2' }))
        const got = pages.flatMap((page) => page.data.map((card) => card.practitioner_id))
        expect(got.toSorted((a, b) => a - b)).toEqual(expected)
        expect(pages[0]?.meta.total).toBe(expected.length)
        found += expected.length
      }),
      { numRuns },
    )
    // Five each, as a rule.
    expect(found).toBeGreaterThan(2 * numRuns)
  })

  it('a search without matches counts the matches without each filter', async () => {
    const sent = { min_price: '9000', issue_id: '1', gender: 'Female' }
    const { meta } = await ask(sent)
    expect(meta.total).toBe(0)
    const withoutPrice = known.filter((each) => matches({ issue_id: '1', gender: 'Female' }, each)).length
    expect(withoutPrice).toBeGreaterThan(0)
    expect(meta.relax).toEqual([{ filter: 'price', total: withoutPrice }])
    expect((await ask({})).meta.relax).toBe(undefined)
  })

  it('a search without matches offers to drop the pronouns', async () => {
    const own = known.filter(({ person }) => person.pronouns === 'he/him')
    const { person } = own[0]!
    const name = `${person.firstName} ${person.lastName}`
    const without = known.filter((each) => matches({ name }, each)).length
    const { data, meta } = await ask({ name, pronouns: 'they/them' })
    expect(data).toEqual([])
    expect(meta.relax).toContainEqual({ filter: 'pronouns', total: without })
    expect((await ask({ pronouns: 'he/him' })).meta.total).toBe(own.length)
  })

  it('orders by price, rating and next free time, then by id, over all pages alike', async () => {
    const feesOf = (id: number) => known[id - 1]!.person.services.map((service) => service.feePence)
    const soonest = (id: number) => {
      const { online, face_to_face } = known[id - 1]!.outlook.nextFree
      return Math.min(online?.getTime() ?? Number.MAX_VALUE, face_to_face?.getTime() ?? Number.MAX_VALUE)
    }
    const rating = (card: PractitionerCard) => -card.reviews_rating
    const keys: Record<string, (card: PractitionerCard) => number> = {
      price_asc: (card) => Math.min(...feesOf(card.id)),
      price_desc: (card) => -Math.max(...feesOf(card.id)),
      rating,
      soonest: (card) => soonest(card.id),
    }
    for (const [sort, key] of Object.entries(keys)) {
      const cards: PractitionerCard[] = []
      for (let page = 1; page <= 5; page++) cards.push(...(await ask({ sort, page: String(page) })).data)
      expect(cards).toHaveLength(count)
      const ordered = cards.toSorted((a, b) => key(a) - key(b) || a.id - b.id)
      expect(cards.map((card) => card.id)).toEqual(ordered.map((card) => card.id))
    }
  })

  it('shows a name as it was typed before one that was meant', async () => {
    const { data } = await ask({ name: 'Grace' })
    expect(data[0]?.first_name).toBe('Grace')
  })

  it('finds by a title with the name, as the profile shows them', async () => {
    const { person } = known[0]!
    const idsOf = async (name: string) => (await ask({ name })).data.map((card) => card.id)
    for (const typed of [`Dr ${person.lastName}`, `prof. dr. ${person.firstName}`, `Mx.${person.lastName}`]) {
      expect(await idsOf(typed)).toContain(1)
    }
    expect(await idsOf(`${person.lastName} Mx`)).toEqual([])
    expect((await ask({ name: 'Mx' })).meta.total).toBe(0)
  })

  it('the price bounds do not depend on the filters', async () => {
    const fees = known.flatMap(({ person }) => person.services.map((service) => service.feePence / 100))
    const bounds = { min_price: Math.min(...fees), max_price: Math.max(...fees) }
    expect((await ask({ issue_id: '3', min_price: '100' })).meta).toMatchObject(bounds)
    const filterData = await test.call('GET', '/filter/i-know')
    expect(filterData.body).toMatchObject(bounds)
    expect(filterData.body.genders).toEqual(['Male', 'Female', 'Non-binary'])
  })

  it('shows cards with everything that the list needs', async () => {
    const { data } = await ask({ name: 'Grace Holloway' })
    const { person, outlook } = known[0]!
    expect(data[0]).toMatchObject({
      practitioner_id: 1,
      full_name: 'Grace Holloway',
      short_description: person.shortDescription,
      experience: person.yearsOfExperience,
      reviews_total: person.reviews.length,
      next_available: { online: outlook.nextFree.online?.toISOString() },
    })
    expect(data[0]?.main_image).toMatch(/^\/media\/portraits\/[0-9a-f]{24}\/256\.webp$/)
    expect(data[0]?.issue).toHaveLength(4)
  })

  it('answers odd queries with what they ask for or with 422', async () => {
    expect((await ask({ name: "%_' or 1=1 --", page: '1' })).meta.total).toBe(0)
    expect((await ask({ name: '--- %', gender: 'whatever', issue_id: '' })).meta.total).toBe(count)
    expect((await ask({ date_from: '2026-06-20', date_to: '2026-06-10' })).meta.total).toBe(0)
    expect((await ask({ page: '99999' })).data).toEqual([])
    for (const bad of [
      'issue_id=1;2',
      'page=0',
      'per_page=51',
      'sort=best',
      'pronouns=ze/zir',
      'date_from=tomorrow',
      'min_price=x',
    ]) {
      const answer = await test.call('GET', `/practitioner/get-practitioners?${bad}`)
      expect([bad, answer.status]).toEqual([bad, 422])
    }
  })
})

describe.each(['off', 'awaited'] as const)('a range of prices with a format, index %s', (searchIndex) => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp({ searchIndex })
    const session = { service_id: 1, duration_minutes: 50 }
    await createPractitioner(test, {
      services: [
        { ...session, appointment_type: 'online', fee_pence: 9000 },
        { ...session, appointment_type: 'face_to_face', fee_pence: 4000 },
      ],
    })
    await test.services.search.catchUp()
  })
  afterAll(() => test.close())
  const meta = async (query: string) => {
    const answer = await test.call('GET', `/practitioner/get-practitioners?${query}`)
    expect(answer.status).toBe(200)
    return (answer.body as unknown as PractitionerList).meta
  }

  it('is that of the sessions in this format', async () => {
    const totals = async (range: string) => [
      (await meta(range)).total,
      (await meta(`${range}&session_type=online`)).total,
      (await meta(`${range}&session_type=face_to_face`)).total,
    ]
    expect(await totals('max_price=60')).toEqual([1, 0, 1])
    expect(await totals('min_price=60')).toEqual([1, 1, 0])
    expect(await totals('min_price=40&max_price=90')).toEqual([1, 1, 1])
    expect((await meta('max_price=60&session_type=online')).relax).toEqual([
      { filter: 'price', total: 1 },
      { filter: 'session_type', total: 1 },
    ])
  })
})

describe.each(['off', 'awaited'] as const)(
  'a directory with tens of thousands of names, index %s',
  (searchIndex) => {
    let test: TestApp
    beforeAll(async () => {
      test = await buildTestApp({ searchIndex, database: (await clusterDatabase()).database })
      for (const [firstName, lastName] of [
        ['Priya', 'Ghijkl'],
        ['Prija', 'Ghijkl'],
        ['Ann', 'Other'],
      ] as const) {
        await createPractitioner(test, { firstName, lastName })
      }
      // All of them have these six letters.
      await sql`insert into search_words (word)
      select distinct substr(md5(i::text), 1, 6) || 'ghijkl' from generate_series(1, 20000) i`.execute(
        test.db,
      )
      await test.services.search.catchUp()
    })
    afterAll(() => test.close())

    it.each([
      ['g', ['Priya Ghijkl', 'Prija Ghijkl']],
      ['g h i j k l', ['Priya Ghijkl', 'Prija Ghijkl']],
      ['ghijkl priya', ['Priya Ghijkl', 'Prija Ghijkl']],
      ['ghijkl prija', ['Prija Ghijkl', 'Priya Ghijkl']],
      ['ghijkl ann', []],
      ['zzz g', []],
    ] as const)('finds those whose names have "%s", exact matches first', async (name, found) => {
      const answer = await test.call(
        'GET',
        `/practitioner/get-practitioners?${new URLSearchParams({ name }).toString()}`,
      )
      expect(answer.status).toBe(200)
      const { data, meta } = answer.body as unknown as PractitionerList
      expect(data.map((card) => card.full_name)).toEqual(found)
      expect(meta.total).toBe(found.length)
    })
  },
)
