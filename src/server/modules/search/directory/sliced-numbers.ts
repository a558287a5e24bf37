import { type Bitmap, clearBit, emptyBitmap, grown, hasBit, setBit } from './bitmap.ts'

/**
 * A whole number for each document, one bitmap for each binary digit. A comparison of all documents costs a few
 * operations for each 32 of them, however many different numbers there are.
 */
export class SlicedNumbers {
  #slices: Bitmap[] = []
  #words: number

  constructor(words: number) {
    this.#words = words
  }

  grow(words: number): void {
    this.#words = words
    this.#slices = this.#slices.map((slice) => grown(slice, words))
  }

  /** @param value 0 to 2^31 - 1 */
  set(document: number, value: number): void {
    while (value >= 2 ** this.#slices.length) this.#slices.push(emptyBitmap(this.#words))
    for (const [digit, slice] of this.#slices.entries()) {
      const isSet = ((value >>> digit) & 1) === 1
      if (hasBit(slice, document) === isSet) continue
      if (isSet) setBit(slice, document)
      else clearBit(slice, document)
    }
  }

  /** Leaves in `target` the documents whose number is at most `bound`. */
  keepUpTo(target: Bitmap, bound: number): void {
    this.#keep(target, bound, true)
  }

  /** Leaves in `target` the documents whose number is at least `bound`. */
  keepFrom(target: Bitmap, bound: number): void {
    if (bound > 0) this.#keep(target, bound - 1, false)
  }

  #keep(target: Bitmap, bound: number, upTo: boolean): void {
    const slices = this.#slices
    if (bound < 0 || bound >= 2 ** slices.length) {
      if (upTo === bound < 0) target.fill(0)
      return
    }
    for (let word = 0; word < target.length; word++) {
      if (target[word] === 0) continue
      let equal = 0xffff_ffff
      let less = 0
      for (let digit = slices.length - 1; digit >= 0 && equal !== 0; digit--) {
        const bits = slices[digit]![word]!
        if (((bound >>> digit) & 1) === 1) {
          less |= equal & ~bits
          equal &= bits
        } else equal &= ~bits
      }
      const within = less | equal
      target[word]! &= upTo ? within : ~within
    }
  }
}
