import { expect, test } from 'vitest'
import type { FilterCounts } from '#contract/search.ts'
import { countsOf, countText, packCounts, unpackCounts } from './value-counts.ts'

const counts = {
  issue_id: { 1: 1204, 2: 0, 3: 7 },
  gender: { 'Non-binary': 0, Female: 12 },
  pronouns: { 'she/her': 5 },
  session_type: { online: 0 },
  dates: { today: 1, week: 30 },
  exact: true,
} as unknown as FilterCounts
const noOptions = {
  provider_id: [],
  issue_id: [],
  therapy_type_id: [],
  language_id: [],
  insurance_company_id: [],
  gender: [],
}
const needs = { issue_id: { 2: 'price' }, session_type: { online: 'near' } } as const

test('a page is sent the counts of its own options and of all fixed choices', () => {
  const options = { ...noOptions, issue_id: ['1', '2'].map((value) => ({ value, label: value })) }
  const packed = packCounts({ counts, needs }, options)
  expect(packed).toMatchObject({ issue_id: '1=1204|2=price', gender: 'Non-binary=0|Female=12' })
  const read = unpackCounts(packed)
  const whole = countsOf({ counts, needs })
  for (const [filter, value] of [
    ['issue_id', '1'],
    ['issue_id', '2'],
    ['gender', 'Non-binary'],
    ['pronouns', 'she/her'],
    ['session_type', 'online'],
    ['dates', 'week'],
  ] as const) {
    expect(read?.of(filter, value)).toEqual(whole?.of(filter, value))
  }
  expect(read?.of('issue_id', '3')).toBeUndefined()
  expect(whole?.of('issue_id', '3')).toEqual({ total: 7, needs: undefined })
})

test('an answer without counts shows none', () => {
  expect([countsOf({}), packCounts({}, noOptions), unpackCounts(undefined)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('a value that matches none names the filter to drop', () => {
  expect(countText({ total: 1204 })).toBe('1,204')
  expect(countText({ total: 0, needs: 'price' })).toBe('0 · would need any price')
  expect(countText({ total: 0 })).toBe('0 · would need fewer filters')
})
