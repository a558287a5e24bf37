import { describe, expect, it } from 'vitest'
import type { AppointmentType } from '#contract/common.ts'
import { PractitionerQuery } from '#contract/search.ts'
import {
  filterNames,
  filterOrder,
  filtersOfKind,
  filterTable,
  parametersOf,
} from '#contract/search-filters.ts'
import { dayNumber } from '../../clock.ts'
import {
  countedRanges,
  dayNumberInLondon,
  daysBetween,
  daysLeftOfWeek,
  filtersInUse,
  filtersOf,
  meritOf,
  nextStarts,
  ofFacet,
  rankOf,
  tagConditions,
  tagQuery,
  tagsOf,
  without,
} from './search.rules.ts'

const today = dayNumber('2026-06-01')

describe('filters', () => {
  it('have a letter each for their tags', () => {
    const letters = filtersOfKind('ids', 'words').map((name) => filterTable[name].tag)
    expect(letters.join('')).toMatch(/^[a-z]+$/)
    expect(new Set(letters).size).toBe(letters.length)
  })

  it('have a parameter of the query for each of theirs, and no parameter twice', () => {
    const parameters = filterNames.flatMap(parametersOf)
    expect(Object.keys(PractitionerQuery.shape)).toEqual([
      ...parameters,
      'sort',
      'page',
      'per_page',
      'counts',
    ])
    expect(new Set(parameters).size).toBe(parameters.length)
  })

  it('stand in every order once', () => {
    for (const order of [filterOrder.address, filterOrder.panel, filterOrder.chips]) {
      expect(order.toSorted()).toEqual(filterNames.toSorted())
    }
    expect(new Set(filterOrder.form).size).toBe(filterOrder.form.length)
  })

  it('are relaxed one at a time, those that are active alone', () => {
    const filters = filtersOf(
      { issue_id: [1], language_id: [], max_price: 90, session_type: 'online' },
      today,
    )
    expect(filtersInUse(filters)).toEqual(['issue_id', 'price', 'session_type'])
    expect(without(filters, 'price')).toEqual({ issue_id: [1], session_type: 'online' })
    expect(filters.price).toEqual({ lowest: 0, highest: 9000 })
  })

  it('are built into a tag query from letters and integers alone', () => {
    const filters = filtersOf({ issue_id: [1, 2], language_id: [3] }, today)
    expect(tagQuery(filters, 'forgiven')).toBe('(i1|i2)&(l3)')
    expect(tagQuery(filtersOf({}, today), 'forgiven')).toBe(undefined)
  })

  it('a name filter matches no row when a typed word is in no name', () => {
    expect(tagQuery({ name: [{ exact: [], close: [] }] }, 'forgiven')).toBe(null)
    expect(tagQuery({ name: [{ exact: [], close: [4] }] }, 'refused')).toBe(null)
  })

  it('leave out the place with the format that it applies to', () => {
    const filters = filtersOf({ issue_id: [1], session_type: 'face_to_face' }, today)
    const near = { latitude: 53.8, longitude: -1.55, miles: 5 }
    expect(without({ ...filters, near }, 'session_type')).toEqual({ issue_id: [1] })
    expect(without({ ...filters, near }, 'issue_id')).toEqual({ session_type: 'face_to_face', near })
  })

  it('take a price with one end to be open at the other', () => {
    expect(filtersOf({ min_price: 40.55 }, today).price).toEqual({ lowest: 4055, highest: 2_147_483_647 })
    expect(filtersOf({ max_price: 0 }, today).price).toEqual({ lowest: 0, highest: 0 })
    expect(filtersOf({}, today).price).toBe(undefined)
  })

  it('count each day of a range, its last one included, and none where it ends before it begins', () => {
    expect(daysBetween({ from: today, to: today + 2 })).toEqual([today, today + 1, today + 2])
    expect(daysBetween({ from: today, to: today })).toEqual([today])
    expect(daysBetween({ from: today, to: today - 1 })).toEqual([])
    expect(daysBetween({ from: today, to: today - 5 })).toEqual([])
    expect(daysBetween({ from: today, to: today + 1000 })).toHaveLength(62)
    expect(countedRanges(today)).toEqual({
      today: { from: today, to: today },
      week: { from: today, to: today + 7 },
    })
  })

  it('take the rest of a week from Monday to Sunday, or the coming seven days after it', () => {
    // A Monday.
    expect(daysLeftOfWeek(today, today)).toEqual({ from: today, to: today + 6 })
    expect(daysLeftOfWeek(today + 2, today + 3)).toEqual({ from: today + 3, to: today + 6 })
    expect(daysLeftOfWeek(today + 9, today + 3)).toEqual({ from: today + 7, to: today + 13 })
    expect(daysLeftOfWeek(today, today + 6)).toEqual({ from: today + 6, to: today + 6 })
    expect(daysLeftOfWeek(today, today + 7)).toEqual({ from: today + 7, to: today + 13 })
  })

  it('reach from today to seven days later when no day is given', () => {
    expect(filtersOf({ instant_booking: true }, today).dates).toEqual({ from: today, to: today + 7 })
    expect(filtersOf({ date_from: '2026-06-10' }, today).dates).toEqual({ from: today + 9, to: today + 16 })
    expect(filtersOf({ date_from: '2020-01-01', date_to: '2026-06-03' }, today).dates).toEqual({
      from: today,
      to: today + 2,
    })
    expect(filtersOf({ date_to: '2026-06-03' }, today).dates).toEqual({ from: today, to: today + 2 })
    expect(filtersOf({ instant_booking: false }, today).dates).toBe(undefined)
  })

  it('count days by the clocks of London', () => {
    expect(dayNumberInLondon(new Date('2026-06-01T23:30:00Z'))).toBe(today + 1)
    expect(dayNumberInLondon(new Date('2026-01-01T23:30:00Z'))).toBe(dayNumber('2026-01-01'))
  })
})

describe('the tags of a row', () => {
  const values = {
    provider_id: [1],
    issue_id: [2, 12],
    therapy_type_id: [3],
    language_id: [],
    insurance_company_id: [4],
  }

  it('are its facets and the words of its name, and are read back by facet', () => {
    const tags = tagsOf(values, [5])
    expect(tags.toSorted()).toEqual(['c4', 'i12', 'i2', 'n5', 'p1', 't3'])
    expect(ofFacet('issue_id', tags)).toEqual(['i2', 'i12'])
    expect(ofFacet('language_id', tags)).toEqual([])
  })

  it('are looked up by a typed word that matches few, mistyped words included unless they are refused', () => {
    const name = [{ exact: [1], close: [2] }]
    const issue_id = [7]
    expect(tagConditions({ name, issue_id }, 'forgiven')).toEqual({ lookUp: '(i7)&(n1|n2)', lists: [] })
    expect(tagConditions({ name, issue_id }, 'refused')).toEqual({ lookUp: '(i7)&(n1)', lists: [] })
    expect(tagConditions({}, 'forgiven')).toEqual({ lists: [] })
  })

  it('are checked one by one for a typed word that matches more than a hundred', () => {
    const many = Array.from({ length: 101 }, (_, at) => at + 1)
    const broad = { exact: many.slice(0, 100), close: many.slice(100) }
    const list = many.map((id) => `n${id}`)
    expect(tagConditions({ name: [broad] }, 'forgiven')).toEqual({ lists: [list] })
    expect(tagConditions({ name: [broad, { exact: [200], close: [] }] }, 'forgiven')).toEqual({
      lookUp: '(n200)',
      lists: [list],
    })
    // A hundred exact words are looked up.
    expect(tagConditions({ name: [broad] }, 'refused')).toEqual({
      lookUp: `(${list.slice(0, 100).join('|')})`,
      lists: [],
    })
  })

  it('match no row where one of several typed words is in no name', () => {
    const none = { exact: [], close: [] }
    expect(tagConditions({ name: [{ exact: [1], close: [] }, none] }, 'forgiven')).toBe(null)
  })
})

describe('the recommended order', () => {
  const facets = {
    provider_id: [1],
    issue_id: [1, 2, 3, 4, 5],
    therapy_type_id: [1, 2],
    language_id: [1],
    insurance_company_id: [],
  }
  const profile = { has_portrait: true, has_video: true, about_length: 2000, facets }

  it('does not let a single five stand above many that are nearly as good', () => {
    const one = meritOf({ ...profile, rating_hundredths: 500, reviews_total: 1 })
    const many = meritOf({ ...profile, rating_hundredths: 485, reviews_total: 60 })
    expect(many).toBeGreaterThan(one)
  })

  it('goes from 0 to 1000, and prefers a complete profile', () => {
    const best = meritOf({ ...profile, rating_hundredths: 500, reviews_total: 100_000 })
    expect(best).toBe(1000)
    const bare = { has_portrait: false, has_video: false, about_length: 0 }
    const none = {
      provider_id: [],
      issue_id: [],
      therapy_type_id: [],
      language_id: [],
      insurance_company_id: [],
    }
    expect(meritOf({ ...bare, facets: none, rating_hundredths: 100, reviews_total: 1_000_000 })).toBe(0)
  })

  it('is the prior without reviews, which weighs as much as five of them', () => {
    const none = meritOf({ ...profile, rating_hundredths: 0, reviews_total: 0 })
    expect(none).toBe(Math.round((320 / 400) * 700) + 300)
    // Half way from 4.2 to 5.
    expect(meritOf({ ...profile, rating_hundredths: 500, reviews_total: 5 })).toBe(none + 70)
  })

  it.each([
    ['a portrait', { has_portrait: false }, 90],
    ['a video', { has_video: false }, 30],
    ['half of the text', { about_length: 750 }, 45],
    ['two of five issues', { facets: { ...facets, issue_id: [1, 2, 3] } }, 12],
    ['one of two therapies', { facets: { ...facets, therapy_type_id: [1] } }, 15],
    ['the language', { facets: { ...facets, language_id: [] } }, 30],
  ])('counts %s', (_, change, points) => {
    const rated = { rating_hundredths: 500, reviews_total: 100_000 }
    expect(meritOf({ ...profile, ...rated, ...change })).toBe(1000 - points)
  })

  it('a bookable practitioner ranks before one without free time', () => {
    const free = rankOf(0, { online: new Date(0), face_to_face: null })
    expect(free).toBeGreaterThanOrEqual(rankOf(1000, { online: null, face_to_face: null }))
    expect(rankOf(0, { online: null, face_to_face: new Date(0) })).toBe(free)
  })
})

describe('the next starts of a card', () => {
  const start = (appointment_type: AppointmentType, hour: number) => ({
    starts_at: `2026-06-01T${String(hour).padStart(2, '0')}:00:00.000Z`,
    appointment_type,
    service_id: 1,
  })
  const known = [
    ...[9, 10, 11, 12].map((hour) => start('online', hour)),
    ...[8, 9, 13].map((hour) => start('face_to_face', hour)),
  ]

  it.each([
    [undefined, ['face_to_face 08', 'online 09', 'online 10', 'online 11']],
    ['online', ['online 09', 'online 10', 'online 11', 'online 12']],
    ['face_to_face', ['face_to_face 08', 'face_to_face 09', 'face_to_face 13']],
  ] as const)('in the format %s are the earliest, a time in both formats once', (type, expected) => {
    const found = nextStarts(known, type)
    expect(found.map((each) => `${each.appointment_type} ${each.starts_at.slice(11, 13)}`)).toEqual(expected)
  })
})
