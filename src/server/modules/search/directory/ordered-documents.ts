import { type Bitmap, hasBit } from './bitmaps.ts'
import { grown } from './grown.ts'

/** Fewer changes than this are put in their places one by one; more by one pass over all documents. */
const movedSingly = 16

/**
 * All documents ordered by a key, lowest first, then by practitioner. A change is only noted; the order is repaired when
 * it is read. The practitioner of a document must not change while the document is in the order.
 */
export class OrderedDocuments {
  #order = new Int32Array(0)
  #length = 0
  /** The keys by which documents stand in the order. */
  #placedBy = new Float64Array(0)
  #isPlaced = new Uint8Array(0)
  #keys = new Float64Array(0)
  #isWanted = new Uint8Array(0)
  #changed: number[] = []
  #isChanged = new Uint8Array(0)
  #idOf: Int32Array
  #repairedAt: number

  /**
   * @param repairedAt so many changes that wait are put in order without being asked for, so that no reader has to wait for
   * a long repair
   */
  constructor(idOf: Int32Array, repairedAt: number) {
    this.#idOf = idOf
    this.#repairedAt = repairedAt
    this.grow(idOf)
  }

  /** Makes room for as many documents as `idOf` has places. */
  grow(idOf: Int32Array): void {
    this.#idOf = idOf
    const size = idOf.length
    this.#order = grown(new Int32Array(size), this.#order)
    this.#placedBy = grown(new Float64Array(size), this.#placedBy)
    this.#keys = grown(new Float64Array(size), this.#keys)
    this.#isPlaced = grown(new Uint8Array(size), this.#isPlaced)
    this.#isWanted = grown(new Uint8Array(size), this.#isWanted)
    this.#isChanged = grown(new Uint8Array(size), this.#isChanged)
  }

  set(document: number, key: number): void {
    if (this.#isWanted[document] === 1 && this.#keys[document] === key) return
    this.#isWanted[document] = 1
    this.#keys[document] = key
    this.#note(document)
  }

  remove(document: number): void {
    if (this.#isWanted[document] === 0) return
    this.#isWanted[document] = 0
    this.#note(document)
  }

  keyOf(document: number): number {
    return this.#keys[document]!
  }

  /** The documents in order; only the first `length` count. Valid until the next change. */
  inOrder(): { documents: Int32Array; length: number } {
    this.repair()
    return { documents: this.#order, length: this.#length }
  }

  /** The number of documents with a key of at most `key`. */
  countUpTo(key: number): number {
    this.repair()
    return this.#placeOf(key, Number.MAX_SAFE_INTEGER)
  }

  /** The first document in order that is in the set, or undefined. */
  firstIn(mask: Bitmap): number | undefined {
    const { documents, length } = this.inOrder()
    for (let place = 0; place < length; place++) if (hasBit(mask, documents[place]!)) return documents[place]
    return undefined
  }

  /** Compares two documents as the order does. */
  readonly compare = (a: number, b: number): number =>
    this.#keys[a]! - this.#keys[b]! || this.#idOf[a]! - this.#idOf[b]!

  repair(): void {
    if (this.#changed.length === 0) return
    if (this.#changed.length <= movedSingly) for (const document of this.#changed) this.#move(document)
    else this.#merge()
    for (const document of this.#changed) this.#isChanged[document] = 0
    this.#changed = []
  }

  #note(document: number): void {
    if (this.#isChanged[document] === 1) return
    this.#isChanged[document] = 1
    this.#changed.push(document)
    if (this.#changed.length >= this.#repairedAt) this.repair()
  }

  #move(document: number): void {
    if (this.#isPlaced[document] === 1) {
      const place = this.#placeOf(this.#placedBy[document]!, this.#idOf[document]! - 1)
      this.#order.copyWithin(place, place + 1, this.#length)
      this.#length -= 1
      this.#isPlaced[document] = 0
    }
    if (this.#isWanted[document] === 0) return
    const key = this.#keys[document]!
    const place = this.#placeOf(key, this.#idOf[document]!)
    this.#order.copyWithin(place + 1, place, this.#length)
    this.#order[place] = document
    this.#length += 1
    this.#placedBy[document] = key
    this.#isPlaced[document] = 1
  }

  #merge(): void {
    let kept = 0
    for (let place = 0; place < this.#length; place++) {
      const document = this.#order[place]!
      if (this.#isChanged[document] === 0) this.#order[kept++] = document
    }
    const coming = this.#changed.filter((document) => this.#isWanted[document] === 1).sort(this.compare)
    for (const document of this.#changed) this.#isPlaced[document] = 0
    let from = kept - 1
    this.#length = kept + coming.length
    // From the end, so that nothing is overwritten before it has moved.
    for (let place = this.#length - 1, next = coming.length - 1; next >= 0; place--) {
      const document = coming[next]!
      if (from >= 0 && this.compare(this.#order[from]!, document) > 0) {
        this.#order[place] = this.#order[from--]!
      } else {
        this.#order[place] = document
        this.#placedBy[document] = this.#keys[document]!
        this.#isPlaced[document] = 1
        next -= 1
      }
    }
  }

  /** The number of documents that stand before or at a key and practitioner. */
  #placeOf(key: number, id: number): number {
    let [low, high] = [0, this.#length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const document = this.#order[middle]!
      const placedBy = this.#placedBy[document]!
      if (placedBy < key || (placedBy === key && this.#idOf[document]! <= id)) low = middle + 1
      else high = middle
    }
    return low
  }
}
