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
  dayNumberInLondon,
  filtersInUse,
  filtersOf,
  meritOf,
  nextStarts,
  rankOf,
  tagQuery,
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

  it('reach from today to seven days later when no day is given', () => {
    expect(filtersOf({ instant_booking: true }, today).dates).toEqual({ from: today, to: today + 7 })
    expect(filtersOf({ date_from: '2026-06-10' }, today).dates).toEqual({ from: today + 9, to: today + 16 })
    expect(filtersOf({ date_from: '2020-01-01', date_to: '2026-06-03' }, today).dates).toEqual({
      from: today,
      to: today + 2,
    })
    expect(filtersOf({ instant_booking: false }, today).dates).toBe(undefined)
  })

  it('count days by the clocks of London', () => {
    expect(dayNumberInLondon(new Date('2026-06-01T23:30:00Z'))).toBe(today + 1)
    expect(dayNumberInLondon(new Date('2026-01-01T23:30:00Z'))).toBe(dayNumber('2026-01-01'))
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

  it('a bookable practitioner ranks before one without free time', () => {
    const free = rankOf(0, { online: new Date(0), face_to_face: null })
    expect(free).toBeGreaterThanOrEqual(rankOf(1000, { online: null, face_to_face: null }))
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
