import { grown } from './grown.ts'

type Numbers = Uint16Array<ArrayBuffer> | Int32Array<ArrayBuffer>

/** A short list of numbers for each document in one array. Lists longer than `stride` are kept beside it. */
export class SmallLists<T extends Numbers> {
  #lengths: Uint8Array
  #values: T
  #long = new Map<number, readonly number[]>()
  readonly #make: (length: number) => T
  readonly #stride: number

  /** @param stride 254 at most */
  constructor(make: (length: number) => T, stride: number, size: number) {
    this.#make = make
    this.#stride = stride
    this.#lengths = new Uint8Array(size)
    this.#values = make(size * stride)
  }

  grow(size: number): void {
    this.#lengths = grown(new Uint8Array(size), this.#lengths)
    this.#values = grown(this.#make(size * this.#stride), this.#values)
  }

  set(document: number, list: readonly number[]): void {
    if (list.length > this.#stride) {
      this.#lengths[document] = 255
      this.#long.set(document, list)
      return
    }
    if (this.#lengths[document] === 255) this.#long.delete(document)
    this.#lengths[document] = list.length
    this.#values.set(list, document * this.#stride)
  }

  of(document: number): readonly number[] {
    if (this.#lengths[document] === 255) return this.#long.get(document) ?? []
    const from = document * this.#stride
    return Array.from(this.#values.subarray(from, from + this.#lengths[document]!))
  }

  /** Whether the list of a document has a number that is marked. */
  hasMarked(document: number, marks: Uint8Array): boolean {
    const length = this.#lengths[document]!
    if (length === 255) return this.of(document).some((value) => marks[value] === 1)
    const from = document * this.#stride
    for (let at = from; at < from + length; at++) if (marks[this.#values[at]!] === 1) return true
    return false
  }

  equals(document: number, list: readonly number[]): boolean {
    const length = this.#lengths[document]!
    if (length === 255) {
      const own = this.#long.get(document) ?? []
      return own.length === list.length && own.every((value, index) => value === list[index])
    }
    if (length !== list.length) return false
    const from = document * this.#stride
    for (let index = 0; index < length; index++) if (this.#values[from + index] !== list[index]) return false
    return true
  }
}
