import { expect, test } from 'vitest'
import { readRange } from './range.ts'

test.each<[string | undefined, ReturnType<typeof readRange>]>([
  [undefined, undefined],
  ['bytes=0-9', { start: 0, end: 9 }],
  ['bytes=10-', { start: 10, end: 99 }],
  ['bytes=90-500', { start: 90, end: 99 }],
  ['bytes=-10', { start: 90, end: 99 }],
  ['bytes=-500', { start: 0, end: 99 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=9-0', undefined],
  ['bytes=-', undefined],
  ['bytes=0-1,3-4', undefined],
  ['pages=0-1', undefined],
])('of 100 bytes, %j is %j', (header, range) => {
  expect(readRange(header, 100)).toEqual(range)
})
