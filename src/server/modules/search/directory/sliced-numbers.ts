import { type Bitmap, type Bitmaps, clearBit, hasBit, setBit } from './bitmaps.ts'

/**
 * A whole number for each document, one bitmap for each binary digit. A comparison of all documents costs a few
 * operations for each 128 of them, however many different numbers there are.
 */
export class SlicedNumbers {
  #digits: Bitmap[] = []
  readonly #bitmaps: Bitmaps

  constructor(bitmaps: Bitmaps) {
    this.#bitmaps = bitmaps
  }

  /** @param value 0 to 2^31 - 1 */
  set(document: number, value: number): void {
    while (value >= 2 ** this.#digits.length) this.#digits.push(this.#bitmaps.begin())
    for (const [place, digit] of this.#digits.entries()) {
      const isSet = ((value >>> place) & 1) === 1
      if (hasBit(digit, document) === isSet) continue
      if (isSet) setBit(digit, document)
      else clearBit(digit, document)
    }
  }

  /** Leaves in `target` the documents whose number is at most `bound`. */
  keepUpTo(target: Bitmap, bound: number): void {
    if (bound < 0) target.words.fill(0)
    else if (bound < this.#highest) this.#bitmaps.keepUpTo(target, this.#digits, bound)
  }

  /** Leaves in `target` the documents whose number is at least `bound`. */
  keepFrom(target: Bitmap, bound: number): void {
    if (bound > this.#highest) target.words.fill(0)
    else if (bound > 0) this.#bitmaps.keepAbove(target, this.#digits, bound - 1)
  }

  /** That the digits can say. */
  get #highest(): number {
    return 2 ** this.#digits.length - 1
  }
}
