import type { FeeRange } from '../search.rules.ts'
import type { Bitmap, Bitmaps } from './bitmaps.ts'
import { SlicedNumbers } from './sliced-numbers.ts'

/** The lowest and the highest fee of each document. */
export class DocumentFees {
  readonly #lowest: SlicedNumbers
  readonly #highest: SlicedNumbers

  constructor(bitmaps: Bitmaps) {
    this.#lowest = new SlicedNumbers(bitmaps)
    this.#highest = new SlicedNumbers(bitmaps)
  }

  /** Without fees they count as zero: who asks narrows to the documents that offer the format. */
  set(document: number, fees: FeeRange | null): void {
    this.#lowest.set(document, fees?.lowest ?? 0)
    this.#highest.set(document, fees?.highest ?? 0)
  }

  /** Leaves in `target` the documents whose fees overlap a range. */
  keepOverlapping(target: Bitmap, { lowest, highest }: FeeRange): void {
    this.#lowest.keepUpTo(target, highest)
    this.#highest.keepFrom(target, lowest)
  }
}
