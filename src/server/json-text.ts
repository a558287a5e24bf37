/** An answer of the contract that is JSON text already. */
export class JsonText<T> {
  readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  /** For a value that holds what the contract names and no more: it is not cut to it. */
  static of<T>(value: T): JsonText<T> {
    return new JsonText(Buffer.from(JSON.stringify(value)))
  }

  value(): T {
    return JSON.parse(this.bytes.toString()) as T
  }
}
