import { expect, test } from 'vitest'
import {
  activeFilters,
  applied,
  filtersInWords,
  optionsOf,
  packOptions,
  relaxation,
  sentOptions,
  unpackOptions,
} from './active-filters.ts'
import { noFilters, resultsPath } from './filters.ts'
import type { ValueCounts } from './value-counts.ts'

const options = optionsOf({
  provider_types: [{ provider_id: 1, provider_type: 'Psychiatrist' }],
  issues: [
    { issue_id: 1, issue_name: 'Anxiety', description: '' },
    { issue_id: 2, issue_name: 'Grief', description: '' },
  ],
  therapy_types: [],
  languages: [],
  insurance_companies: [],
  genders: ['Female'],
  min_price: 40,
  max_price: 220,
})

test('each filter that is on can be taken off by itself, from the first page', () => {
  const filters = {
    ...noFilters,
    issue_id: [1, 2],
    gender: 'Female',
    pronouns: 'she/her' as const,
    min_price: 40,
    max_price: 62.5,
    date_from: '2026-06-08',
    date_to: '2026-06-15',
    instant_booking: true as const,
    page: 3,
  }
  const active = activeFilters(filters, options)
  expect(active.map(({ label }) => label)).toEqual([
    'Anxiety',
    'Grief',
    'Free Mon 8 Jun to Mon 15 Jun',
    '£40 to £62.50',
    'Female',
    'she/her',
  ])
  expect(active.map(({ without }) => resultsPath(without))).toContain(
    '/found-therapists?issue_id=1,2&gender=Female&pronouns=she%2Fher&min_price=40&max_price=62.5',
  )
  expect(active.every(({ without }) => without.page === 1)).toBe(true)
})

test('days with one end are named as they are searched: a week from the first, or up to the last', () => {
  const labels = (days: object) => activeFilters({ ...noFilters, ...days }, options).map(({ label }) => label)
  expect(labels({ date_from: '2026-06-08' })).toEqual(['Free Mon 8 Jun to Mon 15 Jun'])
  expect(labels({ date_from: '2026-06-08', date_to: '2026-06-08' })).toEqual(['Free on Mon 8 Jun'])
  expect(labels({ date_to: '2026-06-15' })).toEqual(['Free until Mon 15 Jun'])
  expect(labels({ instant_booking: true })).toEqual(['Free in the next 7 days'])
})

test('an id that the lists no longer have still shows, so that it can be taken off', () => {
  const active = activeFilters({ ...noFilters, language_id: [99] }, options)
  expect(active).toEqual([{ key: 'language_id-99', label: 'No longer offered', without: noFilters }])
})

test('a page is sent ten options of a list, the most common and those chosen, in the order of the list', () => {
  const languages = Array.from({ length: 30 }, (_, at) => ({ value: String(30 - at), label: `L${30 - at}` }))
  const all = { ...options, language_id: languages }
  const sent = (language_id: number[]) => {
    const { options: some, totals } = sentOptions(all, { ...noFilters, language_id })
    expect(totals.language_id).toBe(30)
    return some.language_id.map(({ value }) => Number(value))
  }
  expect(sent([])).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
  expect(sent([3, 25, 99])).toEqual([25, 9, 8, 7, 6, 5, 4, 3, 2, 1])
  expect(sent(languages.map(({ value }) => Number(value)))).toHaveLength(30)
  expect(unpackOptions(packOptions(all))).toEqual(all)
})

test('with counts a page is sent the options that most practitioners have', () => {
  const languages = Array.from({ length: 30 }, (_, at) => ({ value: String(at + 1), label: `L${at + 1}` }))
  const counts: ValueCounts = { of: (_, value) => ({ total: Number(value) % 20 }) }
  const { options: some } = sentOptions(
    { ...options, language_id: languages },
    { ...noFilters, language_id: [20] },
    counts,
  )
  // 20 is chosen, though it matches none.
  expect(some.language_id.map(({ value }) => Number(value))).toEqual([11, 12, 13, 14, 15, 16, 17, 18, 19, 20])
})

test('the filters that are on are named in a few words', () => {
  const filters = { ...noFilters, issue_id: [1, 2], gender: 'Female' }
  expect(filtersInWords(noFilters, options)).toBe('')
  expect(filtersInWords(filters, options)).toBe('Anxiety, Grief, Female')
  expect(filtersInWords({ ...filters, name: 'Ann', min_price: 40 }, options)).toMatch(
    /^Anxiety, Grief, [^,]+ and 2 more$/,
  )
})

test('relaxing a filter leaves the others', () => {
  const filters = { ...noFilters, issue_id: [1], min_price: 10, max_price: 12 }
  expect(resultsPath(relaxation(filters, 'price').to)).toBe('/found-therapists?issue_id=1')
  expect(resultsPath(relaxation(filters, 'issue_id').to)).toBe('/found-therapists?min_price=10&max_price=12')
})

test('a price with one end and a place are named as they are searched', () => {
  const labels = (on: object) => activeFilters({ ...noFilters, ...on }, options).map(({ label }) => label)
  expect(labels({ min_price: 40 })).toEqual(['From £40'])
  expect(labels({ max_price: 60 })).toEqual(['Up to £60'])
  expect(labels({ session_type: 'face_to_face', near: 'Leeds' })).toEqual([
    'Face-to-face',
    'Within 10 miles of Leeds',
  ])
  expect(labels({ session_type: 'face_to_face', near: 'Leeds', within: 1 })).toContain(
    'Within 1 mile of Leeds',
  )
})

test('a search with a place that is unknown goes on without it, and without the order by distance', () => {
  const filters = {
    ...noFilters,
    issue_id: [1],
    session_type: 'face_to_face' as const,
    near: 'Nowhere',
    within: 25 as const,
  }
  expect(applied({ ...filters, sort: 'nearest' }, false)).toEqual({ ...filters, sort: 'nearest' })
  expect(resultsPath(applied({ ...filters, sort: 'nearest' }, true))).toBe(
    '/found-therapists?issue_id=1&session_type=face_to_face',
  )
  expect(applied({ ...filters, sort: 'rating' }, true).sort).toBe('rating')
})
