import fc from 'fast-check'
import { expect, test } from 'vitest'
import { choicesOf, filtersOfKind } from '#contract/search-filters.ts'
import {
  filterPairs,
  firstFreeTime,
  lastDayFrom,
  isCanonical,
  isSameSearch,
  noFilters,
  parseFilters,
  queryOf,
  resultsPath,
  type SearchFilters,
  withFilters,
} from './filters.ts'

const someIds = fc
  .uniqueArray(fc.integer({ min: 1, max: 999_999_999 }), { maxLength: 100 })
  .map((ids) => ids.sort((a, b) => a - b))
const someDay = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2040-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const somePounds = fc.integer({ min: 0, max: 10_000_000 }).map((pence) => pence / 100)
const someText = (maxLength: number) =>
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: maxLength / 4 })
    .map((text) => text.replaceAll(/\s+/g, ' ').replaceAll('\u0000', '').trim())
    .filter((text) => text.length > 0 && text.length <= maxLength)

const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined })
const ordered = <T extends number | string>(values: fc.Arbitrary<T>) =>
  fc.tuple(maybe(values), maybe(values)).map(([one, other]) => {
    if (one === undefined || other === undefined) return [one, other] as const
    return one <= other ? ([one, other] as const) : ([other, one] as const)
  })

const someFilters: fc.Arbitrary<SearchFilters> = fc
  .record({
    lists: fc.tuple(someIds, someIds, someIds, someIds, someIds),
    gender: maybe(fc.constantFrom('Male', 'Female', 'Non-binary')),
    pronouns: maybe(fc.constantFrom(...choicesOf('pronouns'))),
    name: maybe(someText(100).filter((text) => /[\p{L}\p{N}]/u.test(text))),
    price: ordered(somePounds),
    session_type: maybe(fc.constantFrom('online' as const, 'face_to_face' as const)),
    dates: ordered(someDay),
    instant_booking: maybe(fc.constant(true as const)),
    sort: maybe(
      fc.constantFrom('price_asc' as const, 'price_desc' as const, 'rating' as const, 'soonest' as const),
    ),
    page: fc.integer({ min: 1, max: 100_000 }),
  })
  .map(({ lists, price, dates, ...rest }) => ({
    ...noFilters,
    ...rest,
    ...Object.fromEntries(filtersOfKind('ids').map((name, at) => [name, lists[at]])),
    min_price: price[0],
    max_price: price[1],
    date_from: dates[0],
    date_to: dates[1],
  }))

test('every search survives its own address', () => {
  fc.assert(
    fc.property(someFilters, (filters) => {
      expect(parseFilters(new URLSearchParams(queryOf(filters)))).toEqual(filters)
    }),
  )
})

test('filters read from any address and written back are canonical', () => {
  const names = [
    'issue_id',
    'gender',
    'pronouns',
    'name',
    'min_price',
    'max_price',
    'date_from',
    'date_to',
    'page',
    'sort',
    'x',
  ]
  const anything = fc.array(
    fc.tuple(fc.constantFrom(...names), fc.string({ unit: 'binary', maxLength: 120 })),
  )
  fc.assert(
    fc.property(anything, (pairs) => {
      const filters = parseFilters(new URLSearchParams(pairs))
      const again = new URLSearchParams(queryOf(filters))
      expect(parseFilters(again)).toEqual(filters)
      expect(isCanonical(again, filters)).toBe(true)
    }),
  )
})

test('the fields of a plain form become one address', () => {
  const form = new URLSearchParams(
    'issue_id=7&issue_id=3&issue_id=7&gender=&name=+Anna++Ng+&provider_id=2&min_price=',
  )
  const filters = parseFilters(form)
  expect(isCanonical(form, filters)).toBe(false)
  expect(resultsPath(filters)).toBe('/found-therapists?provider_id=2&issue_id=3,7&name=Anna%20Ng')
})

test('what is not understood is left out rather than searched for', () => {
  const filters = parseFilters(
    new URLSearchParams(
      "issue_id=0,x,-4,1e3&gender=It doesn't matter&pronouns=ze/zir&min_price=abc&max_price=-1&date_from=2026-02-30&sort=worst&page=0&session_type=phone",
    ),
  )
  expect(filterPairs(filters)).toEqual([])
})

test('an address keeps the specification’s spelling of instant booking and the name of a therapy', () => {
  const read = (address: string) => parseFilters(new URLSearchParams(address))
  expect(resultsPath(read('instantBooking=true'))).toBe('/found-therapists?instant_booking=true')
  expect(filterPairs(read('instantBooking=true'))).toEqual([['instant_booking', 'true']])

  const address = 'therapy_type_id=5&session_type=online&therapy_type_name=Grief+work&instantBooking=false'
  const filters = read(address)
  expect(isCanonical(new URLSearchParams(address), filters)).toBe(true)
  expect(filterPairs(filters)).toEqual([
    ['therapy_type_id', '5'],
    ['session_type', 'online'],
  ])
  expect(queryOf(withFilters(filters, { sort: 'rating', instant_booking: true }))).toBe(
    '?therapy_type_id=5&session_type=online&instant_booking=true&sort=rating&therapy_type_name=Grief%20work',
  )
  expect(queryOf(withFilters(filters, { therapy_type_id: [7] }))).toBe(
    '?therapy_type_id=7&session_type=online&instantBooking=false',
  )
})

test('a range written from high to low is turned round', () => {
  const filters = parseFilters(
    new URLSearchParams('min_price=90&max_price=40&date_from=2026-05-02&date_to=2026-05-01'),
  )
  expect(filters).toMatchObject({
    min_price: 40,
    max_price: 90,
    date_from: '2026-05-01',
    date_to: '2026-05-02',
  })
})

test('a day out of the bounds of the API, as a year being typed, is left out', () => {
  const years = ['0002', '0202', '1899', '2200', '9999']
  for (const year of years) {
    const filters = parseFilters(new URLSearchParams({ date_from: `${year}-06-12`, date_to: '2026-06-13' }))
    expect(filters).toMatchObject({ date_from: undefined, date_to: '2026-06-13' })
  }
  const whole = parseFilters(new URLSearchParams({ date_from: '1900-01-01', date_to: '2199-12-31' }))
  expect(whole).toMatchObject({ date_from: '1900-01-01', date_to: '2199-12-31' })
})

test('free time begins with today and the seven days after', () => {
  expect(firstFreeTime('2026-12-28')).toEqual({
    date_from: '2026-12-28',
    date_to: '2027-01-04',
    instant_booking: true,
  })
})

test.each(['😀', '-- % _', '’'])('a name without letters and digits, %s, is no filter', (name) => {
  expect(parseFilters(new URLSearchParams({ name })).name).toBeUndefined()
  expect(parseFilters(new URLSearchParams({ name: `Ann ${name}` })).name).toBe(`Ann ${name}`)
})

test.each([
  ['2026-06-20', '2026-06-08', '2026-06-27'],
  ['2026-06-05', '2026-06-08', '2026-06-08'],
  ['2026-06-08', '2026-06-08', '2026-06-08'],
  ['2026-06-20', undefined, undefined],
  [undefined, '2026-06-08', '2026-06-08'],
])('from %s on, a range until %s ends on %s', (first, last, expected) => {
  expect(lastDayFrom(first, last)).toBe(expected)
})

test('a place is searched near in sessions face to face alone, and without its radius in the usual one', () => {
  const read = (address: string) => resultsPath(parseFilters(new URLSearchParams(address)))
  expect(read('near=Leeds')).toBe('/found-therapists?session_type=face_to_face&near=Leeds')
  expect(read('near=Leeds&within=25')).toBe(
    '/found-therapists?session_type=face_to_face&near=Leeds&within=25',
  )
  expect(read('near=Leeds&within=10')).toBe('/found-therapists?session_type=face_to_face&near=Leeds')
  expect(read('near=Leeds&within=7')).toBe('/found-therapists?session_type=face_to_face&near=Leeds')
  expect(read('near=Leeds&within=25&session_type=online')).toBe('/found-therapists?session_type=online')
  expect(read('within=25')).toBe('/found-therapists')
  // The end of a postcode, which names a street, is in no address.
  expect(read('near=LS6+2AB')).toBe('/found-therapists?session_type=face_to_face&near=LS6')
})

test('the order by distance needs a place', () => {
  const sortOf = (address: string) => parseFilters(new URLSearchParams(address)).sort
  expect(sortOf('sort=nearest')).toBeUndefined()
  expect(sortOf('sort=nearest&near=Leeds&session_type=online')).toBeUndefined()
  expect(sortOf('sort=nearest&near=Leeds')).toBe('nearest')
  expect(sortOf('sort=rating')).toBe('rating')
})

test('a place goes with the format that it applies to, and brings it', () => {
  const near = parseFilters(new URLSearchParams('near=Leeds&within=25&page=3'))
  expect(resultsPath(withFilters(near, { session_type: 'online' }))).toBe(
    '/found-therapists?session_type=online',
  )
  expect(resultsPath(withFilters(near, { session_type: undefined }))).toBe('/found-therapists')
  expect(resultsPath(withFilters(near, { session_type: 'face_to_face' }))).toBe(
    '/found-therapists?session_type=face_to_face&near=Leeds&within=25',
  )
  expect(resultsPath(withFilters(near, { gender: 'Female' }))).toBe(
    '/found-therapists?gender=Female&session_type=face_to_face&near=Leeds&within=25',
  )
  const online = parseFilters(new URLSearchParams('session_type=online'))
  expect(resultsPath(withFilters(online, { near: 'Leeds' }))).toBe(
    '/found-therapists?session_type=face_to_face&near=Leeds',
  )
})

test('a search is the same in any order and on any page, and another with one filter more', () => {
  const read = (address: string) => parseFilters(new URLSearchParams(address))
  expect(isSameSearch(read('issue_id=1,2&sort=rating&page=2'), read('issue_id=2&issue_id=1'))).toBe(true)
  expect(isSameSearch(read('issue_id=1'), read('issue_id=1,2'))).toBe(false)
})

test.each(['issue_id=1&gender=Female', 'gender=Female&issue_id=1', 'issue_id=1,1', 'issue_id=1&x=2'])(
  'the address ?%s is canonical only if it is the one of its search',
  (address) => {
    const query = new URLSearchParams(address)
    expect(isCanonical(query, parseFilters(query))).toBe(address === 'issue_id=1&gender=Female')
  },
)
