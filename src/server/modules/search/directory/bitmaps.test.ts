import { expect, test } from 'vitest'
import { createRandom } from '#server/db/seed/demo/random.ts'
import { type Bitmap, Bitmaps, clearBit, hasBit, membersOf, setBit, wordsFor } from './bitmaps.ts'

const random = createRandom(1, 'bitmaps')

/** Begins a set of about so many of all numbers. */
function begin(bitmaps: Bitmaps, words: number, share: number): Bitmap {
  const bitmap = bitmaps.begin()
  for (let bit = 0; bit < 32 * words; bit++) if (random.next() < share) setBit(bitmap, bit)
  return bitmap
}

function members(bitmap: Bitmap): number[] {
  const target = new Int32Array(32 * bitmap.words.length)
  return [...target.subarray(0, membersOf(bitmap, target))]
}

function countEach(bitmaps: Bitmaps, mask: Bitmap, others: readonly Bitmap[]): number[] {
  const counts = new Int32Array(others.length)
  bitmaps.countEach(mask, others, counts)
  return [...counts]
}

// A vector has 4 words, a step 16; a block of `and` has 120, one of `count` 496.
const lengths = [1, 2, 3, 4, 5, 15, 16, 17, 31, 119, 120, 121, 495, 496, 497]

test.each(lengths)('sets of %i words are combined and counted as number by number', (words) => {
  const bitmaps = new Bitmaps(words)
  const sets = [0, 1, 0.5, 0.01, 0.9, 1].map((share) => begin(bitmaps, words, share))
  for (const a of sets) {
    const [ofA, all] = [members(a), sets.map((b) => new Set(members(b)))]
    expect(countEach(bitmaps, a, sets)).toEqual(all.map((ofB) => ofA.filter((each) => ofB.has(each)).length))
    expect(countEach(bitmaps, a, sets.slice(2, 3))).toHaveLength(1)
    expect(countEach(bitmaps, a, [])).toEqual([])
    for (const [other, b] of sets.entries()) {
      const both = ofA.filter((each) => all[other]!.has(each))
      const target = bitmaps.begin()
      expect(bitmaps.and(target, a, b)).toBe(both.length)
      expect(members(target)).toEqual(both)
      expect(bitmaps.difference(target, a, b)).toBe(ofA.length - both.length)
      expect(members(target)).toEqual(ofA.filter((each) => !all[other]!.has(each)))
      expect(bitmaps.meet(a, b)).toBe(both.length > 0)
      target.words.set(a.words)
      bitmaps.add(target, b)
      expect(new Set(members(target))).toEqual(new Set([...ofA, ...all[other]!]))
      // A target may be one of the two.
      target.words.set(a.words)
      expect(bitmaps.and(target, target, b)).toBe(both.length)
      target.words.set(b.words)
      expect(bitmaps.difference(target, a, target)).toBe(ofA.length - both.length)
      bitmaps.end(target)
    }
  }
})

test.each(lengths)('of sets of %i words those numbers are kept that a bound allows', (words) => {
  const bitmaps = new Bitmaps(words)
  const digits = Array.from({ length: 5 }, () => begin(bitmaps, words, 0.5))
  const numberOf = (bit: number) =>
    digits.reduce((sum, digit, place) => sum + (hasBit(digit, bit) ? 2 ** place : 0), 0)
  const some = begin(bitmaps, words, 0.7)
  const target = bitmaps.begin()
  for (const bound of [0, 1, 15, 16, 21, 30, 31]) {
    target.words.set(some.words)
    bitmaps.keepUpTo(target, digits, bound)
    expect(members(target)).toEqual(members(some).filter((bit) => numberOf(bit) <= bound))
    target.words.set(some.words)
    bitmaps.keepAbove(target, digits, bound)
    expect(members(target)).toEqual(members(some).filter((bit) => numberOf(bit) > bound))
  }
})

test('sets stay what they are when there are more of them, and when they become longer', () => {
  const bitmaps = new Bitmaps(wordsFor(100))
  const [first, second] = [bitmaps.begin(), bitmaps.begin()]
  setBit(first, 99)
  setBit(second, 7)
  bitmaps.widen(wordsFor(1000))
  expect(first.words).toHaveLength(wordsFor(1000))
  setBit(second, 999)
  // More sets than the memory has room for, and than one call lists.
  const many = Array.from({ length: 20_000 }, (_, place) => {
    const one = bitmaps.begin()
    setBit(one, place % 1000)
    return one
  })
  expect([members(first), members(second)]).toEqual([[99], [7, 999]])
  expect(countEach(bitmaps, second, many)).toEqual(
    many.map((_, place) => ([7, 999].includes(place % 1000) ? 1 : 0)),
  )
  bitmaps.widen(wordsFor(5000))
  expect([members(first), members(second), members(many.at(-1)!)]).toEqual([[99], [7, 999], [999]])
  expect(countEach(bitmaps, second, [first, ...many])[8]).toBe(1)
})

test('a set that begins where another one ended is empty', () => {
  const bitmaps = new Bitmaps(40)
  const [kept, ended] = [begin(bitmaps, 40, 0.5), begin(bitmaps, 40, 1)]
  const before = members(kept)
  bitmaps.end(ended)
  const next = bitmaps.begin()
  expect(members(next)).toEqual([])
  setBit(next, 1279)
  expect(members(next)).toEqual([1279])
  clearBit(next, 1279)
  expect(members(next)).toEqual([])
  expect(members(kept)).toEqual(before)
})
