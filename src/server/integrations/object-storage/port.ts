import type { Readable } from 'node:stream'

/** A stored object, to be read once from the beginning, or from `range` on. */
export type StoredObject = {
  stream: Readable
  /** Of the whole object. */
  bytes: number
}

/** How an object is shown at an address of its own. */
export type Shown = {
  contentType: string
  cacheControl: string
  contentDisposition?: string
  /** How long the address is good, from `since` on. */
  seconds: number
  /** Now, unless the address is to be the same for a while, and so to be found in a browser's cache. */
  since?: Date
}

/**
 * Where files are kept that people upload. A key is one that this product made, such as `portraits/<id>/64.webp`: lower
 * case letters, digits, hyphens and slashes, and an extension.
 */
export type ObjectStorage = {
  /**
   * Stores a stream whole or not at all: a reader never sees a part of it. The same key again replaces the object.
   * @throws when the stream fails or the storage cannot take it; then the key is as it was.
   */
  put(key: string, source: Readable): Promise<void>
  /** Bytes `range.start` to `range.end`, both included, or all. Undefined where there is no such object. */
  get(key: string, range?: { start: number; end: number }): Promise<StoredObject | undefined>
  /**
   * Returns a signed address at which its holder can read the object from the storage itself for a while. No part of the
   * address can be changed. Absent if browsers cannot or must not reach the storage. Does not check that the object
   * exists.
   */
  address?(key: string, shown: Shown): Promise<string>
  /** Removes an object; one that is not there is as good as removed. */
  remove(key: string): Promise<void>
  /**
   * Removes what a crash has left of objects that were being stored before an instant and never became whole. Absent where
   * a rule of the storage itself does it.
   */
  removeUnfinished?(before: Date): Promise<void>
}

const keyForm = /^[a-z0-9][a-z0-9-]{0,99}(\/[a-z0-9][a-z0-9-]{0,99}){0,5}(\.[a-z0-9]{1,5})?$/

/** Refuses what could lead out of the storage. @throws Error, since keys are made by the product itself */
export function checkKey(key: string): void {
  if (!keyForm.test(key)) throw new Error('Not a key of the object storage.')
}
