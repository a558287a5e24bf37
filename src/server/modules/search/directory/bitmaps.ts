import { bitmapProgram } from './bitmaps.gen.ts'
import { compileProgram, pageBytes, type ProgramMemory } from './program.ts'

/** A set of small whole numbers, one bit for each. Its words may come to lie elsewhere whenever another set begins. */
export type Bitmap = { words: Uint32Array<ArrayBuffer>; readonly slot: number }

type Program = {
  memory: ProgramMemory
  and(target: number, a: number, b: number, flip: number, bytes: number): number
  or(target: number, other: number, bytes: number): void
  meet(a: number, b: number, bytes: number): number
  count(mask: number, list: number, sets: number, out: number, bytes: number): void
  keep(target: number, list: number, digits: number, bound: number, flip: number, bytes: number): void
}

const startProgram = compileProgram(bitmapProgram)
/** The first page of the memory holds the addresses of the sets of a call, the second one its numbers. */
const [numbersAt, setsAt] = [pageBytes, 2 * pageBytes]
const setsPerCall = pageBytes / 4
/** Of which the length of a set in bytes is a multiple. */
const stepBytes = 64
/** The memory grows by so much of itself at least. */
const growth = 0.25

export const wordsFor = (size: number): number => (size + 31) >>> 5

export const hasBit = ({ words }: Bitmap, index: number): boolean =>
  ((words[index >>> 5]! >>> (index & 31)) & 1) === 1

export function setBit({ words }: Bitmap, index: number): void {
  words[index >>> 5]! |= 1 << (index & 31)
}

export function clearBit({ words }: Bitmap, index: number): void {
  words[index >>> 5]! &= ~(1 << (index & 31))
}

/** Writes the members to `target`, smallest first. Returns their number. */
export function membersOf({ words }: Bitmap, target: Int32Array): number {
  let count = 0
  for (let at = 0; at < words.length; at++) {
    for (let word = words[at]!; word !== 0; word &= word - 1) {
      target[count++] = (at << 5) + 31 - Math.clz32(word & -word)
    }
  }
  return count
}

/**
 * Bitmaps of one length in the memory of a small program that combines and counts them, five times as fast as
 * JavaScript. `bitmaps.wat` is the program. JavaScript sets and reads single bits in the same memory.
 */
export class Bitmaps {
  #words: number
  #bytes: number
  readonly #program = startProgram() as Program
  #bitmaps: Bitmap[] = []
  #ended: Bitmap[] = []

  constructor(words: number) {
    this.#words = words
    this.#bytes = bytesFor(words)
  }

  /** Begins an empty set. */
  begin(): Bitmap {
    const known = this.#ended.pop()
    if (known) {
      known.words.fill(0)
      return known
    }
    const slot = this.#bitmaps.length
    this.#reserve(slot + 1)
    const bitmap = { words: this.#wordsAt(slot), slot }
    this.#bitmaps.push(bitmap)
    return bitmap
  }

  /** Gives a set up, which must not be used any more: another one will take its place. */
  end(bitmap: Bitmap): void {
    this.#ended.push(bitmap)
  }

  /** Makes all sets longer. */
  widen(words: number): void {
    const [from, to] = [this.#bytes, bytesFor(words)]
    this.#words = words
    this.#bytes = to
    this.#reserve(this.#bitmaps.length)
    const memory = new Uint8Array(this.#program.memory.buffer, setsAt)
    // From the last one, so that nothing is overwritten before it has moved.
    for (let slot = this.#bitmaps.length - 1; slot >= 0; slot--) {
      memory.copyWithin(slot * to, slot * from, (slot + 1) * from)
      memory.fill(0, slot * to + from, (slot + 1) * to)
    }
    this.#readAgain()
  }

  /** Writes what both have to `target`, which may be one of them. Returns how many that are. */
  and(target: Bitmap, a: Bitmap, b: Bitmap): number {
    return this.#program.and(this.#at(target), this.#at(a), this.#at(b), 0, this.#bytes)
  }

  /** Writes what `a` has and `b` has not to `target`, which may be one of them. Returns how many that are. */
  difference(target: Bitmap, a: Bitmap, b: Bitmap): number {
    return this.#program.and(this.#at(target), this.#at(a), this.#at(b), -1, this.#bytes)
  }

  /** Adds to `target` what `other` has. */
  add(target: Bitmap, other: Bitmap): void {
    this.#program.or(this.#at(target), this.#at(other), this.#bytes)
  }

  /** Whether two sets have a member in common. */
  meet(a: Bitmap, b: Bitmap): boolean {
    return this.#program.meet(this.#at(a), this.#at(b), this.#bytes) === 1
  }

  /** Counts the members of a set that are in each of the others, from one place among these to another. */
  countEach(mask: Bitmap, others: readonly Bitmap[], counts: Int32Array, from = 0, to = others.length): void {
    for (let begin = from; begin < to; begin += setsPerCall) {
      const some = Math.min(setsPerCall, to - begin)
      this.#list(others, begin, begin + some)
      this.#program.count(this.#at(mask), 0, some, numbersAt, this.#bytes)
      const numbers = new Int32Array(this.#program.memory.buffer, numbersAt, some)
      counts.set(numbers, begin)
    }
  }

  /**
   * Leaves in `target` the members whose number is at most `bound`.
   * @param digits a set for each binary digit of the numbers, the lowest first; at least one, and so many that `bound` fits
   */
  keepUpTo(target: Bitmap, digits: readonly Bitmap[], bound: number): void {
    this.#keep(target, digits, bound, 0)
  }

  /** Leaves in `target` the members whose number is above `bound`; `digits` as for `keepUpTo`. */
  keepAbove(target: Bitmap, digits: readonly Bitmap[], bound: number): void {
    this.#keep(target, digits, bound, -1)
  }

  #keep(target: Bitmap, digits: readonly Bitmap[], bound: number, flip: number): void {
    this.#list(digits, 0, digits.length)
    this.#program.keep(this.#at(target), 0, digits.length, bound, flip, this.#bytes)
  }

  #list(bitmaps: readonly Bitmap[], from: number, to: number): void {
    const list = new Int32Array(this.#program.memory.buffer, 0, setsPerCall)
    for (let place = from; place < to; place++) list[place - from] = this.#at(bitmaps[place]!)
  }

  #at({ slot }: Bitmap): number {
    return setsAt + slot * this.#bytes
  }

  #wordsAt(slot: number): Bitmap['words'] {
    return new Uint32Array(this.#program.memory.buffer, setsAt + slot * this.#bytes, this.#words)
  }

  /** Makes room for so many sets. */
  #reserve(count: number): void {
    const { memory } = this.#program
    const has = memory.buffer.byteLength
    const needed = setsAt + count * this.#bytes
    if (needed <= has) return
    memory.grow(Math.ceil(Math.max(needed - has, growth * has) / pageBytes))
    this.#readAgain()
  }

  /** What was read of the memory before it grew is gone. */
  #readAgain(): void {
    for (const bitmap of this.#bitmaps) bitmap.words = this.#wordsAt(bitmap.slot)
  }
}

const bytesFor = (words: number) => stepBytes * Math.ceil((4 * words) / stepBytes)
