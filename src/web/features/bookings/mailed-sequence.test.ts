import { expect, test } from 'vitest'
import { mailedSequence } from './mailed-sequence.ts'

test.each([
  ['sequence=0', 0],
  ['appointment=1&sequence=12', 12],
  ['sequence=999999999', 999_999_999],
  ['appointment=1', undefined],
  ['sequence=', undefined],
  ['sequence=-1', undefined],
  ['sequence=1.5', undefined],
  ['sequence=1e3', undefined],
  ['sequence=007', undefined],
  ['sequence=%201', undefined],
  ['sequence=1%0A', undefined],
  ['sequence=1234567890', undefined],
  ['sequence=NaN', undefined],
  ['sequence=%3Cscript%3E', undefined],
])('the link with %s carries the sequence %s', (query, sequence) => {
  expect(mailedSequence(new URLSearchParams(query))).toBe(sequence)
})
