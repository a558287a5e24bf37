import { type Bitmap, type Bitmaps, clearBit, setBit } from './bitmaps.ts'
import { grown } from './grown.ts'

type Day = { documents: Bitmap; count: number }

/**
 * So many of the combined ranges that were used last are remembered until a day of any document changes. One search uses
 * a few of them at once.
 */
const rangesKept = 64

/** Some days for each document, one bitmap for each day that any document has. Days are numbers. */
export class DocumentDays {
  #days = new Map<number, Day>()
  /** The first day and the offsets of all days from it, as two words of 32 bits. */
  #first: Int32Array
  #near: Uint32Array
  /** Days too far from the first for these words. */
  #far = new Map<number, number[]>()
  #ranges = new Map<string, Bitmap>()
  readonly #bitmaps: Bitmaps

  constructor(size: number, bitmaps: Bitmaps) {
    this.#first = new Int32Array(size)
    this.#near = new Uint32Array(2 * size)
    this.#bitmaps = bitmaps
  }

  grow(size: number): void {
    this.#first = grown(new Int32Array(size), this.#first)
    this.#near = grown(new Uint32Array(2 * size), this.#near)
  }

  set(document: number, days: readonly number[]): void {
    const first = days.length > 0 ? Math.min(...days) : 0
    let [low, high] = [0, 0]
    const far: number[] = []
    for (const day of days) {
      const ahead = day - first
      if (ahead < 32) low |= 1 << ahead
      else if (ahead < 64) high |= 1 << (ahead - 32)
      else far.push(day)
    }
    const at = 2 * document
    const isSame =
      this.#first[document] === first &&
      this.#near[at] === low >>> 0 &&
      this.#near[at + 1] === high >>> 0 &&
      far.length === 0 &&
      !this.#far.has(document)
    if (isSame) return
    for (const day of this.#daysOf(document)) this.#leave(document, day)
    this.#first[document] = first
    this.#near[at] = low
    this.#near[at + 1] = high
    if (far.length > 0) this.#far.set(document, far)
    else this.#far.delete(document)
    for (const day of this.#daysOf(document)) this.#enter(document, day)
    for (const range of this.#ranges.keys()) this.#forget(range)
  }

  /** The documents with a day from `from` to `to`, both included. Must not be changed, and not be kept. */
  within({ from, to }: { from: number; to: number }): Bitmap {
    const key = `${from} ${to}`
    let mask = this.#ranges.get(key)
    if (mask) this.#ranges.delete(key)
    else {
      if (this.#ranges.size >= rangesKept) this.#forget(this.#ranges.keys().next().value!)
      mask = this.#bitmaps.begin()
      for (let day = from; day <= to; day++) {
        const found = this.#days.get(day)
        if (found) this.#bitmaps.add(mask, found.documents)
      }
    }
    this.#ranges.set(key, mask)
    return mask
  }

  #forget(range: string): void {
    this.#bitmaps.end(this.#ranges.get(range)!)
    this.#ranges.delete(range)
  }

  #daysOf(document: number): number[] {
    const first = this.#first[document]!
    const days = [...(this.#far.get(document) ?? [])]
    for (const half of [0, 1]) {
      for (let bits = this.#near[2 * document + half]!; bits !== 0; bits &= bits - 1) {
        days.push(first + 32 * half + 31 - Math.clz32(bits & -bits))
      }
    }
    return days
  }

  #enter(document: number, day: number): void {
    let found = this.#days.get(day)
    if (!found) {
      found = { documents: this.#bitmaps.begin(), count: 0 }
      this.#days.set(day, found)
    }
    setBit(found.documents, document)
    found.count += 1
  }

  #leave(document: number, day: number): void {
    const found = this.#days.get(day)
    if (!found) return
    clearBit(found.documents, document)
    found.count -= 1
    if (found.count > 0) return
    this.#days.delete(day)
    this.#bitmaps.end(found.documents)
  }
}
