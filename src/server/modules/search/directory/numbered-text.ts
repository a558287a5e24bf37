/** Most characters of a number below 2³¹. */
const maxDigits = 10

/** A text with numbers that change, all of it plain ASCII. Written as bytes: joining short strings costs three times as much. */
export class NumberedText {
  readonly #before: readonly Uint8Array[]
  readonly #after: Uint8Array
  readonly #bytes: Buffer

  /** @param before what stands before each number; `after` stands after the last one */
  constructor(before: string[], after: string) {
    this.#before = before.map((text) => Buffer.from(text, 'latin1'))
    this.#after = Buffer.from(after, 'latin1')
    const length = this.#before.reduce((sum, text) => sum + text.length + maxDigits, this.#after.length)
    this.#bytes = Buffer.alloc(length)
  }

  /** @param numbers as many as there are places, none below zero */
  with(numbers: Int32Array): string {
    const bytes = this.#bytes
    let at = 0
    for (let place = 0; place < this.#before.length; place++) {
      at = copy(this.#before[place]!, bytes, at)
      at = writeNumber(numbers[place]!, bytes, at)
    }
    return bytes.toString('latin1', 0, copy(this.#after, bytes, at))
  }
}

/** Returns the place after what was written. */
function copy(from: Uint8Array, to: Uint8Array, at: number): number {
  for (let index = 0; index < from.length; index++) to[at + index] = from[index]!
  return at + from.length
}

function writeNumber(number: number, to: Uint8Array, at: number): number {
  let end = at + 1
  for (let left = number; left >= 10; left = (left / 10) | 0) end++
  let left = number
  for (let place = end - 1; place >= at; place--) {
    const tenth = (left / 10) | 0
    to[place] = 48 + left - 10 * tenth
    left = tenth
  }
  return end
}
