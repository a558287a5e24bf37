/** An answer of the contract that need not be written or checked again. */
export class JsonText<T> {
  readonly #write: () => Buffer
  readonly #value: (() => T) | undefined
  #bytes: Buffer | undefined

  /**
   * @param write JSON in UTF-8; called at most once
   * @param value the same as a value, where it is at hand; it is not changed
   */
  constructor(write: () => Buffer, value?: () => T) {
    this.#write = write
    this.#value = value
  }

  /** For a value that holds what the contract names and no more: it is not cut to it. */
  static of<T>(value: T): JsonText<T> {
    return new JsonText(
      () => Buffer.from(JSON.stringify(value)),
      () => value,
    )
  }

  get bytes(): Buffer {
    return (this.#bytes ??= this.#write())
  }

  value(): T {
    return this.#value ? this.#value() : this.parsed()
  }

  /** As who reads the text has it. */
  parsed(): T {
    return JSON.parse(this.bytes.toString()) as T
  }
}
