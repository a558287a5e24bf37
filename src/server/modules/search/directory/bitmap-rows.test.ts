import { expect, test } from 'vitest'
import { createRandom } from '#server/db/seed/demo/random.ts'
import { type Bitmap, hasBit, setBit, sizeOfIntersection, wordsFor } from './bitmap.ts'
import { BitmapRows } from './bitmap-rows.ts'

const random = createRandom(1, 'bitmap rows')

/** Sets about so many of the bits. */
function fill(bitmap: Bitmap, share: number): void {
  for (let bit = 0; bit < 32 * bitmap.length; bit++) if (random.next() < share) setBit(bitmap, bit)
}

// A vector has 4 words, and a block of the program 120.
test.each([1, 2, 3, 4, 5, 31, 119, 120, 121, 122, 240, 487])(
  'rows of %i words are counted as one by one, whichever are asked for',
  (words) => {
    const rows = new BitmapRows(words, 2)
    for (const share of [0, 1, 0.5, 0.01, 0.9, 1]) {
      rows.add()
      fill(rows.row(rows.length - 1), share)
    }
    for (const share of [0, 1, 0.3]) {
      const mask: Bitmap = new Uint32Array(words)
      fill(mask, share)
      const each = Array.from({ length: rows.length }, (_, at) => sizeOfIntersection(mask, rows.row(at)))
      expect([...rows.countEach(mask, 0, rows.length)]).toEqual(each)
      expect([...rows.countEach(mask, 2, 5)]).toEqual(each.slice(2, 5))
      expect([...rows.countEach(mask, 3, 3)]).toEqual([])
    }
  },
)

test('rows stay what they are when there are more of them, and when they become longer', () => {
  const rows = new BitmapRows(wordsFor(100), 1)
  expect(rows.add()).toBe(false)
  setBit(rows.row(0), 99)
  expect(rows.add()).toBe(true)
  setBit(rows.row(1), 7)
  const before = rows.row(1)
  rows.widen(wordsFor(1000))
  setBit(rows.row(1), 999)
  expect(hasBit(before, 7)).toBe(true)
  expect(rows.row(0)).toHaveLength(wordsFor(1000))
  const all: Bitmap = new Uint32Array(wordsFor(1000)).fill(0xffff_ffff)
  expect([...rows.countEach(all, 0, 2)]).toEqual([1, 2])
  for (let more = 0; more < 1000; more++) rows.add()
  expect([...rows.countEach(all, 0, 3)]).toEqual([1, 2, 0])
  expect(hasBit(rows.row(0), 99) && hasBit(rows.row(1), 999)).toBe(true)
})
