import { createReadStream, openSync, readSync, closeSync, fstatSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'
import { parsePostcode, type Point } from '#contract/places.ts'
import { codeNumber, header, headerBytes, recordBytes, writeRecord } from './postcode-file.ts'

/** The columns of the ONS Postcode Directory that are read, by the names in its user guide. */
const columns = ['pcds', 'doterm', 'lat', 'long'] as const

/** An import that failed because of its file. */
export class UnreadableDirectory extends Error {}

/** A file of the postcodes in use in Great Britain, as `openPostcodes` reads it, with the number of postcodes. */
export async function packPostcodes(
  lines: AsyncIterable<string>,
  version: string,
): Promise<{ bytes: Buffer; postcodes: number }> {
  const codes: number[] = []
  const points: Point[] = []
  const districts = new Map<string, { latitude: number; longitude: number; postcodes: number }>()
  let places: number[] | undefined
  let lastPlace = 0
  let width = 0
  let last = ''
  for await (const line of lines) {
    if (!places) {
      const names = fieldsOf(line)
      width = names.length
      places = placesOf(names)
      lastPlace = Math.max(...places)
      continue
    }
    if (line !== '') last = line
    const fields = fieldsOf(line, lastPlace)
    const [code = '', ended, latitude, longitude] = places.map((place) => fields[place] ?? '')
    const postcode = parsePostcode(code)
    const point = { latitude: Number(latitude), longitude: Number(longitude) }
    // Postcodes of Northern Ireland have another licence; those without a position, a latitude of 99.999999.
    if (!postcode?.inward || ended || postcode.outward.startsWith('BT') || !isInBritain(point)) continue
    codes.push(codeNumber(postcode.outward, postcode.inward))
    points.push(point)
    const district = districts.get(postcode.outward) ?? { latitude: 0, longitude: 0, postcodes: 0 }
    district.latitude += point.latitude
    district.longitude += point.longitude
    district.postcodes += 1
    districts.set(postcode.outward, district)
  }
  const postcodes = codes.length
  if (postcodes === 0) throw new UnreadableDirectory('There are no postcodes in use in this file.')
  if (fieldsOf(last).length < width) {
    throw new UnreadableDirectory('This file ends in the middle of a line. Please fetch it again.')
  }
  for (const [outward, { latitude, longitude, postcodes: count }] of districts) {
    codes.push(codeNumber(outward))
    points.push({ latitude: latitude / count, longitude: longitude / count })
  }
  const order = Uint32Array.from(codes.keys()).sort((a, b) => (codes[a] ?? 0) - (codes[b] ?? 0))
  const records = Buffer.alloc(codes.length * recordBytes)
  for (const [index, from] of order.entries()) {
    const point = points[from]
    if (point) writeRecord(records, index, codes[from] ?? 0, point)
  }
  return { bytes: Buffer.concat([header(version), records], headerBytes + records.length), postcodes }
}

function placesOf(names: readonly string[]): number[] {
  const known = names.map((name) => name.replace('\uFEFF', '').trim().toLowerCase())
  const missing = columns.filter((name) => !known.includes(name))
  if (missing.length > 0) throw new UnreadableDirectory(`This file has no column ${missing.join(', ')}.`)
  return columns.map((name) => known.indexOf(name))
}

const isInBritain = ({ latitude, longitude }: Point) =>
  latitude > 49 && latitude < 61.5 && longitude > -9.5 && longitude < 2.5

/** The fields of a line of a CSV file up to one of them, those in quotes included. */
function fieldsOf(line: string, last = Number.POSITIVE_INFINITY): string[] {
  const fields: string[] = []
  let field = ''
  let isQuoted = false
  for (const sign of line) {
    if (sign === '"') isQuoted = !isQuoted
    else if (sign === ',' && !isQuoted) {
      fields.push(field)
      if (fields.length > last) return fields
      field = ''
    } else field += sign
  }
  return [...fields, field]
}

/** The lines of a directory, which is the CSV file or the zip file that it is published in. */
export function readLines(path: string): AsyncIterable<string> {
  const input = path.toLowerCase().endsWith('.zip') ? openZipped(path) : createReadStream(path)
  return createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })
}

/** The release in a file's name, such as `AUG_2026` of `ONSPD_AUG_2026_UK.csv`. */
export function versionOf(path: string): string | undefined {
  return /([A-Z]{3}_\d{4})/.exec(path.toUpperCase())?.[1]
}

const endSignature = 0x06_05_4b_50
const entrySignature = 0x02_01_4b_50
const longestEnd = 22 + 65_535
const tooLong = 0xff_ff_ff_ff

/** The largest file `ONSPD….csv` of a zip file. */
function openZipped(path: string): Readable {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const read = (from: number, length: number) => {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - from)))
      readSync(file, bytes, 0, bytes.length, from)
      return bytes
    }
    const tail = read(Math.max(0, size - longestEnd), longestEnd)
    const end = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
    if (end < 0 || tail.readUInt32LE(end) !== endSignature) {
      throw new UnreadableDirectory('This is no zip file.')
    }
    const directory = read(tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12))
    let best: { method: number; offset: number; packed: number; length: number } | undefined
    for (let at = 0; at + 46 <= directory.length && directory.readUInt32LE(at) === entrySignature; ) {
      const nameLength = directory.readUInt16LE(at + 28)
      const name = directory.toString('utf8', at + 46, at + 46 + nameLength)
      const entry = {
        method: directory.readUInt16LE(at + 10),
        packed: directory.readUInt32LE(at + 20),
        length: directory.readUInt32LE(at + 24),
        offset: directory.readUInt32LE(at + 42),
      }
      const base = name.slice(name.lastIndexOf('/') + 1).toUpperCase()
      const isDirectory = base.startsWith('ONSPD') && base.endsWith('.CSV')
      if (isDirectory && entry.length > (best?.length ?? -1)) best = entry
      at += 46 + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
    }
    if (!best) throw new UnreadableDirectory('There is no file ONSPD….csv in this zip file.')
    const isPlain = best.method === 0 || best.method === 8
    if (!isPlain || best.packed === tooLong || best.offset === tooLong) {
      throw new UnreadableDirectory('Unpack this zip file, and import the CSV file in its folder Data.')
    }
    const local = read(best.offset, 30)
    const start = best.offset + 30 + local.readUInt16LE(26) + local.readUInt16LE(28)
    const packed = createReadStream(path, { start, end: start + best.packed - 1 })
    return best.method === 0 ? packed : packed.pipe(createInflateRaw())
  } finally {
    closeSync(file)
  }
}
