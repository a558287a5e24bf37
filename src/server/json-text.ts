/** An answer of the contract that is JSON text already. */
export class JsonText<T> {
  readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  value(): T {
    return JSON.parse(this.bytes.toString()) as T
  }
}
