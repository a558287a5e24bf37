import { compileProgram, pageBytes, type ProgramMemory } from './program.ts'
import { valueRowProgram } from './value-rows.gen.ts'

type Program = {
  memory: ProgramMemory
  tally(list: number, count: number, rows: number, shift: number, digits: number, out: number): void
}

const startProgram = compileProgram(valueRowProgram)
const vectorBytes = 16
const valuesPerVector = 8 * vectorBytes
/** At the begin of the memory: the digits of sums. */
const digitsBytes = 32 * vectorBytes
/** Documents are counted by so many. */
const together = 8

/**
 * The values of each document as bits, in the memory of a small program that counts for 128 values at once how many of some
 * documents have each. `value-rows.wat` is the program.
 */
export class ValueRows {
  /** Of a document; a power of two. */
  readonly vectors: number
  #memory: ReturnType<typeof layOut>

  /**
   * @param values how many there are, numbered from 0
   * @param size how many documents there may be, numbered from 0
   */
  constructor(values: number, size: number) {
    this.vectors = 2 ** Math.ceil(Math.log2(Math.max(1, values / valuesPerVector)))
    this.#memory = layOut(this.vectors, size)
  }

  /** Makes room for so many documents. */
  grow(size: number): void {
    const { rows } = this.#memory
    this.#memory = layOut(this.vectors, size)
    this.#memory.rows.set(rows)
  }

  /** Replaces the values of a document. Values that are not counted are left out. */
  set(document: number, values: readonly number[]): void {
    const words = (this.vectors * vectorBytes) / 4
    const row = this.#memory.rows.subarray(document * words, (document + 1) * words)
    row.fill(0)
    for (const value of values) if (value >>> 5 < words) row[value >>> 5]! |= 1 << (value & 31)
  }

  /** Where the documents that `tally` counts are written, from the first place on. */
  get documents(): Int32Array<ArrayBuffer> {
    return this.#memory.documents
  }

  /** Counts the first `count` of `documents`. */
  tally(count: number): void {
    const { tally, counts, countsAt, documents, documentsAt, rowsAt, none } = this.#memory
    if (count === 0) {
      counts.fill(0)
      return
    }
    const rounded = together * Math.ceil(count / together)
    documents.fill(none, count, rounded)
    const shift = Math.log2(this.vectors * vectorBytes)
    for (let vector = 0; vector < this.vectors; vector++) {
      const out = countsAt + vector * 4 * valuesPerVector
      tally(documentsAt, rounded, rowsAt + vector * vectorBytes, shift, 0, out)
    }
  }

  /** How many of the documents counted last have each value, by its slot. */
  get counts(): Int32Array<ArrayBuffer> {
    return this.#memory.counts
  }

  /** Where the count of a value stands. */
  slotOf(value: number): number {
    const bit = value % valuesPerVector
    return value - bit + 4 * (bit & 31) + (bit >>> 5)
  }
}

/** A memory for so many documents with so many vectors each. */
function layOut(vectors: number, size: number) {
  const { memory, tally } = startProgram() as Program
  // The last row is of a document that has no values, with which lists are filled up.
  const none = size
  const countsAt = digitsBytes
  const rowsAt = countsAt + vectors * 4 * valuesPerVector
  const documentsAt = rowsAt + (size + 1) * vectors * vectorBytes
  const end = documentsAt + 4 * together * Math.ceil(size / together)
  memory.grow(Math.ceil(end / pageBytes))
  const { buffer } = memory
  return {
    tally,
    none,
    countsAt,
    rowsAt,
    documentsAt,
    counts: new Int32Array(buffer, countsAt, vectors * valuesPerVector),
    rows: new Uint32Array(buffer, rowsAt, (size * vectors * vectorBytes) / 4),
    documents: new Int32Array(buffer, documentsAt, together * Math.ceil(size / together)),
  }
}
