import type { Bitmap } from './bitmap.ts'
import { countOnes } from './count-ones.gen.ts'

type Program = {
  memory: { buffer: ArrayBuffer; grow(pages: number): number }
  count(mask: number, row: number, bytes: number, rows: number, out: number): void
}

/** As much of it as is needed here: the types of Node do not have it. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object) => { exports: object }
}

const program = new WebAssembly.Module(countOnes)
const pageBytes = 65_536

/**
 * Bitmaps of one length, in the memory of a small program that counts what a set has in common with each of them: five
 * times as fast as one by one. `count-ones.wat` is the program.
 */
export class BitmapRows {
  #words: number
  /** Of a row with what fills it up, always zero. */
  #bytes = 0
  #room: number
  #length = 0
  #program: Program
  #mask: Bitmap
  #counts: Int32Array

  constructor(words: number, room = 64) {
    this.#words = words
    this.#room = room
    this.#program = this.#begin()
    this.#mask = this.#at(0)
    this.#counts = this.#countsIn(this.#program)
  }

  get length(): number {
    return this.#length
  }

  /** Appends an empty row. Returns whether it had to move the others: those that were read before are no longer valid. */
  add(): boolean {
    const isFull = this.#length === this.#room
    if (isFull) this.#change(this.#words, 2 * this.#room)
    this.#length += 1
    return isFull
  }

  /** Makes rows longer. Rows that were read before are no longer valid. */
  widen(words: number): void {
    this.#change(words, this.#room)
  }

  /** A row, to be read and changed in place. */
  row(index: number): Bitmap {
    return this.#at(1 + index)
  }

  /** How many of the members of a set are in each row from `from` up to `end`; valid until the next call. */
  countEach(mask: Bitmap, from: number, end: number): Int32Array {
    if (end <= from) return new Int32Array(0)
    this.#mask.set(mask)
    this.#program.count(0, this.#bytes * (1 + from), this.#bytes, end - from, this.#bytes * (1 + this.#room))
    return this.#counts.subarray(0, end - from)
  }

  #change(words: number, room: number): void {
    const rows = Array.from({ length: this.#length }, (_, index) => this.row(index))
    this.#words = words
    this.#room = room
    this.#program = this.#begin()
    this.#mask = this.#at(0)
    this.#counts = this.#countsIn(this.#program)
    for (const [index, row] of rows.entries()) this.row(index).set(row)
  }

  /** The mask, then the rows, then the counts. */
  #begin(): Program {
    this.#bytes = 16 * Math.ceil(this.#words / 4)
    const exported = new WebAssembly.Instance(program).exports as unknown as Program
    const bytes = this.#bytes * (1 + this.#room) + 4 * this.#room
    exported.memory.grow(Math.ceil(bytes / pageBytes))
    return exported
  }

  #at(place: number): Bitmap {
    return new Uint32Array(this.#program.memory.buffer, this.#bytes * place, this.#words)
  }

  #countsIn({ memory }: Program): Int32Array {
    return new Int32Array(memory.buffer, this.#bytes * (1 + this.#room), this.#room)
  }
}
