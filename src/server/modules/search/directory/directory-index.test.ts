import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { milesBetween } from '#contract/places.ts'
import { sortOrders } from '#contract/search.ts'
import { choicesOf, countedFilters, type RelaxableFilter } from '#contract/search-filters.ts'
import { matchWord } from '../names.rules.ts'
import type { PlacePoint } from '../near.rules.ts'
import { countedRanges, daysBetween, type Filters, filtersInUse, without } from '../search.rules.ts'
import { directoryCalls } from './directory-calls.ts'
import { DirectoryIndex } from './directory-index.ts'
import type { Asked, Counts, DirectoryRow, Found, Option, Sort, Value } from './directory.rules.ts'
import { OrderedDocuments } from './ordered-documents.ts'

const words = ['anna', 'annabel', 'hanna', 'i', 'nwosu', 'nwoso', 'li', 'holloway', 'ottoline', 'brown']
const pronouns = choicesOf('pronouns')
const day0 = 20_600
const never = Number.POSITIVE_INFINITY

const places: PlacePoint[] = [
  { latitude: 53.7974, longitude: -1.5438, district: 'Leeds' },
  { latitude: 53.8194, longitude: -1.579, district: 'Headingley, Leeds' },
  { latitude: 53.7939, longitude: -1.7521, district: 'Bradford' },
  { latitude: 53.96, longitude: -1.0873, district: 'York' },
  { latitude: 51.5, longitude: 0, district: 'London' },
]

const options: Option[] = [
  ...['issue_id', 'language_id', 'provider_id', 'therapy_type_id', 'insurance_company_id'].flatMap((filter) =>
    [1, 2, 3, 4, 5].map((value) => ({ filter, value, key: String(value) }) as Option),
  ),
  { filter: 'gender', value: 1, key: 'Male' },
  { filter: 'gender', value: 2, key: 'Female' },
  ...pronouns.map((value) => ({ filter: 'pronouns', value, key: value }) as Option),
  ...choicesOf('session_type').map((value) => ({ filter: 'session_type', value, key: value }) as Option),
]

/** The plainest search: every row is checked, every match sorted. */
function naive(rows: readonly DirectoryRow[], { filters, limit, offset, ...asked }: Asked, now: number) {
  const sort = asked.sort === 'nearest' && !filters.near ? 'recommended' : asked.sort
  const found = rows.filter((row) => matches(row, filters, now))
  const isExact = (row: DirectoryRow) =>
    sort === 'recommended' &&
    filters.name?.every(({ exact }) => exact.length > 0) === true &&
    filters.name.every(({ exact }) => exact.some((id) => row.wordIds.includes(id)))
  const key: Record<Sort, (row: DirectoryRow) => number> = {
    nearest: (row) => milesTo(row, filters.near),
    recommended: (row) => -row.rank - (isExact(row) ? 1e6 : 0),
    price_asc: (row) => row.minFeePence,
    price_desc: (row) => -row.maxFeePence,
    rating: (row) => -row.ratingHundredths,
    soonest: ({ nextFree }) =>
      filters.session_type
        ? nextFree[filters.session_type]
        : Math.min(nextFree.online, nextFree.face_to_face),
  }
  const ties = (row: DirectoryRow) => (sort === 'nearest' ? -row.rank : 0)
  const sorted = found.toSorted(
    (a, b) => key[sort](a) - key[sort](b) || ties(a) - ties(b) || a.practitionerId - b.practitionerId,
  )
  return {
    total: found.length,
    ids: sorted.slice(offset, offset + limit).map((row) => row.practitionerId),
  }
}

/** Infinite without a known place. */
function milesTo(row: DirectoryRow, from: Filters['near']): number {
  return Math.min(...row.places.map((place) => (from ? milesBetween(from, place) : 0)), never)
}

function matches(row: DirectoryRow, filters: Filters, now: number): boolean {
  const has = (filter: Value['filter'], value: number | string) =>
    row.values.some((each) => each.filter === filter && each.value === value)
  const types = filters.session_type ? [filters.session_type] : choicesOf('session_type')
  const days = filters.dates && daysBetween(filters.dates)
  const fees = filters.session_type
    ? row.fees[filters.session_type]
    : { lowest: row.minFeePence, highest: row.maxFeePence }
  return (
    row.listedUntil > now &&
    (['issue_id', 'language_id', 'provider_id', 'therapy_type_id', 'insurance_company_id'] as const).every(
      (name) => filters[name]?.some((id) => has(name, id)) ?? true,
    ) &&
    (filters.gender === undefined || has('gender', filters.gender)) &&
    (filters.pronouns === undefined || has('pronouns', filters.pronouns)) &&
    (filters.session_type === undefined || has('session_type', filters.session_type)) &&
    (!filters.price ||
      (fees !== null && fees.lowest <= filters.price.highest && fees.highest >= filters.price.lowest)) &&
    (!filters.near ||
      row.places.length === 0 ||
      row.places.some((place) => milesBetween(filters.near!, place) <= filters.near!.miles)) &&
    (!days || types.some((type) => row.freeDays[type].some((day) => days.includes(day)))) &&
    (filters.name ?? []).every(({ exact, close }) =>
      [...exact, ...close].some((id) => row.wordIds.includes(id)),
    )
  )
}

const wanted = (filters: Filters, option: Option): Filters => {
  const chosen = {
    ...filters,
    [option.filter]:
      typeof option.value === 'number' && option.filter !== 'gender' ? [option.value] : option.value,
  }
  // Online sessions have no place.
  if (option.filter === 'session_type' && option.value === 'online') delete chosen.near
  return chosen
}

const someOf = (max: number, atMost = 3) =>
  fc.uniqueArray(fc.integer({ min: 1, max }), { minLength: 1, maxLength: atMost })
const time = fc.oneof(fc.integer({ min: -5, max: 50 }), fc.constant(never))
const days = fc.oneof(
  fc.uniqueArray(fc.integer({ min: day0, max: day0 + 70 }), { maxLength: 6 }),
  fc.constant<number[]>([]),
)
const feeRange = fc.option(
  fc
    .record({ lowest: fc.integer({ min: 0, max: 9000 }), over: fc.integer({ min: 0, max: 5000 }) })
    .map(({ lowest, over }) => ({ lowest, highest: lowest + over })),
  { freq: 3 },
)
const row: fc.Arbitrary<DirectoryRow> = fc
  .record({
    practitionerId: fc.integer({ min: 1, max: 60 }),
    version: fc.nat(),
    rank: fc.integer({ min: 0, max: 8 }),
    ratingHundredths: fc.integer({ min: 0, max: 5 }),
    fees: fc.record({ online: feeRange, face_to_face: feeRange }),
    listedUntil: fc.oneof(
      { weight: 1, arbitrary: fc.integer({ min: -5, max: 50 }) },
      { weight: 5, arbitrary: fc.constant(1e6) },
    ),
    freshUntil: time,
    knowsNextStarts: fc.boolean(),
    nextFree: fc.record({ online: time, face_to_face: time }),
    freeDays: fc.record({ online: days, face_to_face: days }),
    places: fc.array(fc.constantFrom(...places), { maxLength: 4 }),
    wordIds: fc.uniqueArray(fc.nat(words.length - 1), { minLength: 1, maxLength: 6 }),
    values: fc.subarray(options, { maxLength: options.length }),
  })
  .map((rest) => {
    const values = rest.values.filter(({ filter }) => filter !== 'session_type')
    const offered = choicesOf('session_type').filter((type) => rest.fees[type])
    const ranges = Object.values(rest.fees).filter((range) => range !== null)
    return {
      ...rest,
      values: [...values, ...offered.map((value): Value => ({ filter: 'session_type', value }))],
      minFeePence: Math.min(...ranges.map(({ lowest }) => lowest), 9000),
      maxFeePence: Math.max(...ranges.map(({ highest }) => highest), 0),
    }
  })

type Change = { put: DirectoryRow } | { remove: number } | { pass: number }
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 8, arbitrary: row.map((put) => ({ put })) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 60 }).map((remove) => ({ remove })) },
  { weight: 1, arbitrary: fc.integer({ min: -10, max: 60 }).map((pass) => ({ pass })) },
)

type Query = Omit<Filters, 'name'> & { typed?: string[] }
const used = [
  'issue_id',
  'language_id',
  'provider_id',
  'gender',
  'pronouns',
  'typed',
  'price',
  'session_type',
  'near',
  'dates',
] as const
type Used = (typeof used)[number]
const filled: fc.Arbitrary<Pick<Required<Query>, Used>> = fc.record({
  issue_id: someOf(6),
  language_id: someOf(6),
  provider_id: someOf(6, 1),
  gender: fc.integer({ min: 1, max: 3 }),
  pronouns: fc.constantFrom(...pronouns),
  typed: fc.array(fc.constantFrom('ann', 'i', 'nwosu', 'holoway', 'zz', 'n'), {
    minLength: 1,
    maxLength: 2,
  }),
  price: fc.record({
    lowest: fc.integer({ min: 0, max: 9000 }),
    highest: fc.integer({ min: 0, max: 9000 }),
  }),
  session_type: fc.constantFrom(...choicesOf('session_type')),
  near: fc.record({
    latitude: fc.constantFrom(53.7965, 53.9, 51.49),
    longitude: fc.constantFrom(-1.5478, -1.3, 0.01),
    miles: fc.constantFrom(1, 3, 10, 25),
  }),
  dates: fc.record({
    from: fc.integer({ min: day0, max: day0 + 70 }),
    to: fc.integer({ min: day0, max: day0 + 150 }),
  }),
})
/** Few filters at a time, so that there are matches. */
const query: fc.Arbitrary<Query> = fc
  .tuple(filled, fc.subarray([...used], { maxLength: 3 }))
  .map(([all, kept]) => ({
    ...Object.fromEntries(kept.map((name) => [name, all[name]])),
    ...(kept.includes('near') ? { session_type: 'face_to_face' } : {}),
  }))

describe('the index of the directory', () => {
  it('answers as a check of every row does after any changes', () => {
    let [total, counted] = [0, 0]
    fc.assert(
      fc.property(
        fc.array(change, { minLength: 20, maxLength: 150, size: 'max' }),
        fc.array(
          fc.record({
            query,
            sort: fc.constantFrom<Sort>(...sortOrders),
            limit: fc.integer({ min: 1, max: 50 }),
            offset: fc.constantFrom(0, 0, 3, 40),
          }),
          { minLength: 1, maxLength: 6 },
        ),
        (changes, asked) => {
          const index = new DirectoryIndex(options)
          for (const [id, word] of words.entries()) index.addWord(id, word)
          const rows = new Map<number, DirectoryRow>()
          let now = 0
          const step = Math.ceil(changes.length / asked.length)
          for (const [turn, { query: sent, ...rest }] of asked.entries()) {
            for (const each of changes.slice(turn * step, (turn + 1) * step)) {
              if ('put' in each) {
                index.put(each.put)
                rows.set(each.put.practitionerId, each.put)
              } else if ('remove' in each) {
                index.remove(each.remove)
                rows.delete(each.remove)
              } else now = each.pass
            }
            const { typed, ...others } = sent
            const filters: Filters = typed
              ? { ...others, name: typed.map((word) => index.matchWord(word)) }
              : others
            for (const [place, word] of (typed ?? []).entries()) {
              const how = words.map((known) => matchWord(word, known))
              expect(filters.name?.[place]?.exact.toSorted()).toEqual(idsWhere(how, 'exact'))
              expect(filters.name?.[place]?.close.toSorted()).toEqual(idsWhere(how, 'close'))
            }
            const question: Asked = { filters, ...rest, counts: true, today: day0 + 3 }
            const all = [...rows.values()]
            const found = index.find(question, now)
            const counts = countsOf(found)
            const expected = naive(all, question, now)
            expect({ total: found.total, ids: found.ids }).toEqual(expected)
            expect(index.hasStale(now)).toBe(all.some((each) => each.freshUntil <= now))
            const totalOf = (other: Filters) => naive(all, { ...question, filters: other }, now).total
            const relax = filtersInUse(filters)
              .map((filter) => ({ filter, total: totalOf(without(filters, filter)) }))
              .filter((each) => each.total > 0)
            if (expected.total === 0) {
              expect(new Set(found.relax)).toEqual(new Set(relax))
            } else expect(found.relax).toBe(undefined)
            const asFilters = [
              ...options.map((option) => ({ ...option, filters: wanted(filters, option) })),
              ...Object.entries(countedRanges(day0 + 3)).map(([key, dates]) => ({
                filter: 'dates' as const,
                key,
                filters: { ...filters, dates },
              })),
            ]
            for (const { filter, key, filters: chosen } of asFilters) {
              const count = totalOf(chosen)
              expect([filter, key, counts?.[filter][key]]).toEqual([filter, key, count])
              const need = found.needs?.[filter]?.[key]
              const possible = filtersInUse(filters).filter(
                (name) => name !== filter && totalOf(without(chosen, name)) > 0,
              )
              if (count > 0 || possible.length === 0) expect(need).toBe(undefined)
              else expect(possible).toContain(need as RelaxableFilter)
              counted += count
            }
            total += expected.total
          }
          expect(index.size).toBe(rows.size)
        },
      ),
      { numRuns: 80 },
    )
    expect(total).toBeGreaterThan(100)
    expect(counted).toBeGreaterThan(5000)
  })

  it('counts every filter of the contract', () => {
    const found = new DirectoryIndex(options).find(
      { filters: {}, sort: 'recommended', limit: 20, offset: 0, counts: true, today: day0 },
      0,
    )
    expect(Object.keys(countsOf(found) ?? {}).toSorted()).toEqual([...countedFilters].toSorted())
  })

  it('finds names by letters that hundreds of words hold, beside parts that few do', () => {
    const index = new DirectoryIndex(options)
    const known = Array.from({ length: 900 }, (_, id) => `a${id.toString(5)}${id % 7 === 0 ? 'x' : ''}`)
    const add = (from: number, to: number) => {
      for (const [id, word] of known.slice(from, to).entries()) index.addWord(from + id, word)
    }
    const wordsOf = (id: number) => [id % 900, (id * 31) % 900, (id * 7) % 900]
    const put = (id: number) =>
      index.put({
        practitionerId: id,
        version: 1,
        rank: 1000 - id,
        ratingHundredths: 0,
        minFeePence: 0,
        maxFeePence: 0,
        fees: { online: null, face_to_face: null },
        listedUntil: 1e6,
        freshUntil: 1e6,
        knowsNextStarts: true,
        nextFree: { online: never, face_to_face: never },
        freeDays: { online: [], face_to_face: [] },
        places: [],
        wordIds: [...new Set(wordsOf(id))],
        values: [],
      })
    const people = Array.from({ length: 400 }, (_, id) => id)
    const find = (typed: string[]) => {
      const filters = { name: typed.map((word) => index.matchWord(word)) }
      const question: Asked = {
        filters,
        sort: 'recommended',
        limit: 400,
        offset: 0,
        counts: false,
        today: day0,
      }
      const { ids, total } = index.find(question, 0)
      expect(ids).toHaveLength(total)
      return ids.toSorted((a, b) => a - b)
    }
    const expected = (typed: string[]) =>
      people.filter((id) =>
        typed.every((part) => wordsOf(id).some((word) => matchWord(part, known[word]!) !== undefined)),
      )
    const searches = [
      ['a'],
      ['a', '1x'],
      ['a', '44'],
      ['a', 'a123'],
      ['0', 'a', '31'],
      ['x', 'a1'],
      ['a', 'q'],
    ]
    // Words that come later are found as well.
    add(0, 600)
    for (const typed of searches) find(typed)
    add(600, 900)
    for (const id of people) put(id)
    for (const typed of searches) expect([typed, find(typed)]).toEqual([typed, expected(typed)])
    expect(searches.map((typed) => find(typed).length).filter((found) => found > 0)).toHaveLength(6)
  })

  it('puts at most one of its orders in place with a change, however many changes wait', () => {
    const index = new DirectoryIndex(options)
    index.addWord(0, 'anna')
    const repair = vi.spyOn(OrderedDocuments.prototype, 'repair')
    onTestFinished(() => repair.mockRestore())
    let all = 0
    for (let id = 1; id <= 20_000; id++) {
      repair.mockClear()
      const key = (id * 7919) % 20_011
      index.put(rowWith(id, key))
      const repairs = repair.mock.calls.length
      if (repairs > 1) expect.fail(`Change ${id} repaired ${repairs} orders.`)
      all += repairs
    }
    expect(all).toBeGreaterThan(40)
  })

  it('has no fresh time for a practitioner who is marked, until the row is put again', () => {
    const index = new DirectoryIndex(options)
    index.addWord(0, 'anna')
    index.put(rowWith(1, 50))
    index.put(rowWith(2, 60))
    const stale = () => [[1, 2, 3].map((id) => index.isStale(id, 10)), index.hasStale(10), [...index.marked]]
    expect(stale()).toEqual([[false, false, false], false, []])
    const known: [number, number][] = [
      [1, 1],
      [2, 1],
    ]
    const ask = (marked: number[]) =>
      directoryCalls.outdated(index, { horizon: '2', timeline: '', written: known, removed: [], marked })
    expect(ask([1, 3])).toEqual({ changed: [], marked: [1] })
    directoryCalls.mark(index, [1, 3])
    expect(stale()).toEqual([[true, false, false], true, [1]])
    // What was written since the mark has to be read, even by a transaction that is known.
    expect(ask([1, 2])).toEqual({ changed: [1], marked: [2] })
    index.put(rowWith(1, 55))
    expect(stale()).toEqual([[false, false, false], false, []])
    directoryCalls.mark(index, [2])
    index.remove(2)
    expect(stale()).toEqual([[false, false, false], false, []])
  })
})

/** A row all of whose numbers are the same. */
const rowWith = (practitionerId: number, key: number): DirectoryRow => ({
  practitionerId,
  version: 1,
  rank: key,
  ratingHundredths: key,
  minFeePence: key,
  maxFeePence: key,
  fees: { online: null, face_to_face: null },
  listedUntil: key,
  freshUntil: key,
  knowsNextStarts: true,
  nextFree: { online: key, face_to_face: key },
  freeDays: { online: [], face_to_face: [] },
  places: [],
  wordIds: [0],
  values: [],
})

const countsOf = ({ counts }: Found) => (counts ? (JSON.parse(counts) as Counts) : undefined)

const idsWhere = (how: readonly unknown[], wantedHow: string) =>
  how.flatMap((each, id) => (each === wantedHow ? [id] : []))
