import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mustMove, rowAt, sumOf, windowAround } from './windowing.ts'

test('the document never holds more than ninety rows, and always the one that is looked at', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (count, share) => {
        const first = Math.floor(share * (count - 1))
        const { from, to } = windowAround(first, count)
        expect(to - from).toBeLessThanOrEqual(90)
        expect(from).toBeGreaterThanOrEqual(0)
        expect(to).toBeLessThanOrEqual(count)
        expect(first).toBeGreaterThanOrEqual(from)
        expect(first).toBeLessThan(to)
        expect(mustMove({ from, to }, { first, last: Math.min(count - 1, first + 30) }, count)).toBe(false)
      },
    ),
  )
})

test('at the end, the last rows are in the document', () => {
  expect(windowAround(undefined, 1000)).toEqual({ from: 940, to: 1000 })
  expect(windowAround(undefined, 7)).toEqual({ from: 0, to: 7 })
})

test('the window moves before its edge is seen, unless nothing lies behind it', () => {
  expect(mustMove({ from: 100, to: 190 }, { first: 105, last: 125 }, 1000)).toBe(true)
  expect(mustMove({ from: 100, to: 190 }, { first: 150, last: 185 }, 1000)).toBe(true)
  expect(mustMove({ from: 100, to: 190 }, { first: 130, last: 150 }, 1000)).toBe(false)
  expect(mustMove({ from: 0, to: 60 }, { first: 0, last: 59 }, 60)).toBe(false)
})

test('the row at a distance is found by the heights', () => {
  expect(rowAt([10, 20, 30], 0)).toEqual({ index: 0, offset: 0 })
  expect(rowAt([10, 20, 30], 15)).toEqual({ index: 1, offset: -5 })
  expect(rowAt([10, 20, 30], 500)).toEqual({ index: 2, offset: -470 })
  expect(sumOf([10, 20, 30], 1, 3)).toBe(50)
})
