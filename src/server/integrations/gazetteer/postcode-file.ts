import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import type { Point } from '#contract/places.ts'

/*
 * Postcodes in a file of sorted records of 12 bytes: the code in 6, its latitude and longitude in 3 each. An outward code
 * has a record too, with the middle of its postcodes. The file is searched where it lies: the system keeps the pages that
 * are used in memory.
 */

const magic = 'hearth-postcodes'
export const headerBytes = 32
export const recordBytes = 12
const codeBytes = 6
const signs = ' ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const outwardLength = 4
const codeLength = 7
/** Coordinates are counted from here, in steps of a hundred-thousandth of a degree. */
const origin = { latitude: 49, longitude: -10 }
const steps = 100_000
const degrees = (count: number, from: number) => Math.round(from * steps + count) / steps

export type Postcodes = {
  /** The point of a full postcode, or the middle of an outward code. */
  find(outward: string, inward?: string): Point | undefined
}

/** A code as a number that sorts as its text does, the outward code before its full codes. */
export function codeNumber(outward: string, inward = ''): number {
  let number = 0
  for (const sign of (outward.padEnd(outwardLength) + inward).padEnd(codeLength)) {
    number = number * signs.length + Math.max(0, signs.indexOf(sign))
  }
  return number
}

export function header(version: string): Buffer {
  const bytes = Buffer.alloc(headerBytes)
  bytes.write(magic, 0, 'latin1')
  bytes.write(version.slice(0, headerBytes - magic.length), magic.length, 'latin1')
  return bytes
}

export function writeRecord(
  bytes: Buffer,
  index: number,
  code: number,
  { latitude, longitude }: Point,
): void {
  const at = index * recordBytes
  bytes.writeUIntBE(code, at, codeBytes)
  bytes.writeUIntBE(Math.round((latitude - origin.latitude) * steps), at + codeBytes, 3)
  bytes.writeUIntBE(Math.round((longitude - origin.longitude) * steps), at + codeBytes + 3, 3)
}

/** How often a file is looked at that may have been replaced. Milliseconds. */
const lookedAtEvery = 5000

/** Reads the file as it is now, as long as it is there: another import replaces it while the product runs. */
export function openPostcodes(path: string | undefined): Postcodes {
  if (path === undefined) return { find: () => undefined }
  let current: { inode: number; postcodes: Postcodes & { close(): void } } | undefined
  let lookedAt = Number.NEGATIVE_INFINITY
  const look = () => {
    if (performance.now() - lookedAt < lookedAtEvery) return current?.postcodes
    lookedAt = performance.now()
    const inode = statSync(path, { throwIfNoEntry: false })?.ino
    if (inode === current?.inode) return current?.postcodes
    current?.postcodes.close()
    current = inode === undefined ? undefined : { inode, postcodes: openFile(path) }
    return current?.postcodes
  }
  return { find: (outward, inward) => look()?.find(outward, inward) }
}

/** @throws for a file of another kind */
function openFile(path: string): Postcodes & { close(): void } {
  const file = openSync(path, 'r')
  const first = Buffer.alloc(headerBytes)
  readSync(file, first, 0, headerBytes, 0)
  if (first.toString('latin1', 0, magic.length) !== magic) {
    closeSync(file)
    throw new Error(`${path} is not a file of postcodes. Import them again: npm run import-postcodes.`)
  }
  const records = Math.floor((fstatSync(file).size - headerBytes) / recordBytes)
  const record = Buffer.alloc(recordBytes)
  const codeAt = (index: number) => {
    readSync(file, record, 0, recordBytes, headerBytes + index * recordBytes)
    return record.readUIntBE(0, codeBytes)
  }
  return {
    close: () => closeSync(file),
    find(outward, inward) {
      const code = codeNumber(outward, inward)
      let [low, high] = [0, records - 1]
      while (low <= high) {
        const middle = (low + high) >>> 1
        const found = codeAt(middle)
        if (found === code) {
          return {
            latitude: degrees(record.readUIntBE(codeBytes, 3), origin.latitude),
            longitude: degrees(record.readUIntBE(codeBytes + 3, 3), origin.longitude),
          }
        }
        if (found < code) low = middle + 1
        else high = middle - 1
      }
      return undefined
    },
  }
}
