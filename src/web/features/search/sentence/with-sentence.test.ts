import { expect, test } from 'vitest'
import { noFilters, resultsPath } from '../filters.ts'
import { withSentence } from './with-sentence.ts'

const before = {
  ...noFilters,
  issue_id: [2],
  min_price: 30,
  max_price: 50,
  date_from: '2026-06-12',
  date_to: '2026-06-13',
  gender: 'Female',
  page: 3,
}

test('a sentence replaces the filters that it names, and no others, from the first page', () => {
  const after = withSentence(before, { issue_id: [1], max_price: 70, instant_booking: true })
  expect(resultsPath(after)).toBe(
    '/found-therapists?issue_id=1&gender=Female&max_price=70&instant_booking=true',
  )
})

test('a sentence without a filter leaves the search as it was', () => {
  expect(withSentence(before, {})).toEqual({ ...before, page: 1 })
})

test('a town brings sessions face to face, and online takes it away', () => {
  const inTown = withSentence(noFilters, { near: 'Leeds', session_type: 'face_to_face' })
  expect(resultsPath(inTown)).toBe('/found-therapists?session_type=face_to_face&near=Leeds')
  expect(resultsPath(withSentence(inTown, { session_type: 'online' }))).toBe(
    '/found-therapists?session_type=online',
  )
})
