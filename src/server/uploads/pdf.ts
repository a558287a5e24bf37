import { constants, createInflateRaw, inflateRawSync } from 'node:zlib'

const megabyte = 1024 * 1024

/** A page scanned in colour at 300 dpi unpacks to 26 MB. */
const maxBytesOfStream = 120 * megabyte
const maxBytesOfStreams = 500 * megabyte
/** What the objects of a hundred pages take, many times over. */
const maxBytesOfObjectStreams = 64 * megabyte
/** A scan of a hundred pages has some hundred streams, a printed thesis some thousand. */
const maxStreams = 10_000
/** `/ASCII85Decode` is the longest name that matters, and each of its characters may be written as `#xx`. */
const maxNameLength = 16

/** Why a PDF is refused. */
export type PdfFault = 'cut off' | 'too large' | 'script' | 'attachment' | 'encrypted' | 'unusual'

/**
 * What a name means for the search. A name that is refused anywhere is long enough never to occur in a picture's data by
 * chance; a short one is refused among objects alone.
 */
type Meaning =
  | { refusedAnywhere: PdfFault }
  | { refusedInObjects: PdfFault; refusedBefore?: ValueTest }
  | {
      only?: ValueTest
      noted: 'deflated' | 'otherFilters' | 'objectStream' | 'first' | 'count' | 'predictor'
    }

const meanings: Record<string, Meaning> = {
  JavaScript: { refusedAnywhere: 'script' },
  Launch: { refusedAnywhere: 'script' },
  RichMedia: { refusedAnywhere: 'script' },
  Rendition: { refusedAnywhere: 'script' },
  EmbeddedFile: { refusedAnywhere: 'attachment' },
  EmbeddedFiles: { refusedAnywhere: 'attachment' },
  Encrypt: { refusedAnywhere: 'encrypted' },
  JS: { refusedInObjects: 'script' },
  AA: { refusedInObjects: 'script' },
  // A comment may pass for the beginning of a stream: its value tells it from a picture's data.
  XFA: { refusedInObjects: 'script', refusedBefore: isListOrReference },
  FlateDecode: { noted: 'deflated' },
  Fl: { noted: 'deflated' },
  LZWDecode: { noted: 'otherFilters' },
  LZW: { noted: 'otherFilters' },
  ASCIIHexDecode: { noted: 'otherFilters' },
  AHx: { noted: 'otherFilters' },
  ASCII85Decode: { noted: 'otherFilters' },
  A85: { noted: 'otherFilters' },
  RunLengthDecode: { noted: 'otherFilters' },
  RL: { noted: 'otherFilters' },
  Crypt: { noted: 'otherFilters' },
  ObjStm: { noted: 'objectStream' },
  // PDF readers treat a stream with these keys as an object stream, even if its type differs.
  First: { noted: 'first' },
  N: { noted: 'count', only: isNumber },
  Predictor: { noted: 'predictor' },
}
/** By a number made of the name: millions of names are looked up without making a text of each. */
const meaningsByHash = new Map(
  Object.entries(meanings).map(([name, meaning]) => [hashOf(Buffer.from(name)), meaning]),
)

const slash = 0x2f
const lineFeed = 0x0a
const carriageReturn = 0x0d
const numberSign = 0x23
/** White space and delimiters end a name (ISO 32000-1, 7.2.2). */
const endsName = new Uint8Array(256)
for (const byte of [0, 9, 10, 12, 13, 32, ...Buffer.from('()<>[]{}/%')]) endsName[byte] = 1

/**
 * Finds out why a PDF is to be refused: it is cut off, unpacks to far more than its size, or holds scripts, attached files
 * or encryption, also inside object streams. Returns undefined for a plain one.
 *
 * The bytes are read once, from the beginning to the end. Nothing is located by the document's own tables, lengths or
 * nesting, so that a malformed file cannot steer the search past a part that a viewer would read. Bytes that follow the
 * word `stream` and look deflated are unpacked in small pieces, within a limit for all of them.
 */
export async function findPdfFault(bytes: Uint8Array): Promise<PdfFault | undefined> {
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).subarray(-2048).includes('%%EOF')) {
    return 'cut off'
  }
  // Streams may lie inside each other's data; each byte is unpacked twice on average at most.
  const budget: Budget = {
    unpackedBytes: maxBytesOfStreams,
    unpackedObjectBytes: maxBytesOfObjectStreams,
    packedBytes: 2 * bytes.length + megabyte,
  }
  /** Since the last word `obj`, and since the last stream: a word may stand in a text or a comment of the dictionary. */
  let own = emptyDictionary()
  let all = emptyDictionary()
  let streams = 0
  let isInData = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === slash) {
      const meaning = readName(bytes, at + 1)
      if (meaning === undefined) continue
      const fault = faultOf(meaning, bytes, at + 1, !isInData)
      if (fault) return fault
      if (!('noted' in meaning) || meaning.only?.(bytes, at + 1) === false) continue
      own[meaning.noted] += 1
      all[meaning.noted] += 1
    } else if (byte === 0x6a /* j */ && isWord(bytes, at - 2, 'obj')) {
      own = emptyDictionary()
    } else if (byte === 0x73 /* s */ && isWord(bytes, at, 'stream')) {
      if (isWord(bytes, at - 3, 'endstream')) isInData = false
      else {
        if (++streams > maxStreams) return 'unusual'
        const start = startOfData(bytes, at + 'stream'.length)
        if (start === undefined) continue
        const isObjectStream = all.objectStream + own.first > 0 || (all.first > 0 && all.count > 0)
        const { otherFilters, predictor } = all
        const isDeflated = all.deflated > 0
        const described = { deflated: own.deflated, isDeflated, otherFilters, predictor, isObjectStream }
        const fault = await findStreamFault(bytes, start, described, budget)
        if (fault) return fault
        // What an object stream holds unpacked is objects like those around it.
        isInData = !isObjectStream
      }
      own = emptyDictionary()
      all = emptyDictionary()
    }
  }
  return undefined
}

/** How often each name that matters stands in the dictionary before a stream. */
type Dictionary = Record<Extract<Meaning, { noted: string }>['noted'], number>
/** How much more may be unpacked: what comes out of it, what of that is objects, and what goes in. */
type Budget = { unpackedBytes: number; unpackedObjectBytes: number; packedBytes: number }

const emptyDictionary = (): Dictionary => ({
  deflated: 0,
  otherFilters: 0,
  objectStream: 0,
  first: 0,
  count: 0,
  predictor: 0,
})

/** @param start of the name */
function faultOf(
  meaning: Meaning,
  bytes: Uint8Array,
  start: number,
  isAmongObjects: boolean,
): PdfFault | undefined {
  if ('refusedAnywhere' in meaning) return meaning.refusedAnywhere
  if (!('refusedInObjects' in meaning)) return undefined
  return isAmongObjects || meaning.refusedBefore?.(bytes, start) ? meaning.refusedInObjects : undefined
}

async function findStreamFault(
  bytes: Uint8Array,
  start: number,
  {
    deflated,
    isDeflated,
    otherFilters,
    predictor,
    isObjectStream,
  }: Pick<Dictionary, 'deflated' | 'otherFilters' | 'predictor'> & {
    isDeflated: boolean
    isObjectStream: boolean
  },
  budget: Budget,
): Promise<PdfFault | undefined> {
  // Packed twice, a few bytes become anything; no scanner or printer does that.
  if (deflated > 1) return 'too large'
  // Objects that only a viewer could unpack.
  if (isObjectStream && (otherFilters > 0 || predictor > 0)) return 'unusual'
  if (!isZlibHeader(bytes, start)) return undefined
  const outcome = await unpack(bytes, start + 2, budget, isObjectStream)
  // Damaged data ends a viewer's reading as well, but what it has read by then has not been seen here.
  // Data that is not deflated begins with numbers, which may pass for the header of deflated data.
  const isPlain = !isDeflated && isDigit(bytes[start])
  if (outcome === 'damaged') return isObjectStream && !isPlain ? 'unusual' : undefined
  return outcome
}

/**
 * Unpacks deflated data piece by piece and looks for refused names in it. Its checksum and what follows it are not read.
 */
async function unpack(
  bytes: Uint8Array,
  start: number,
  budget: Budget,
  isObjectStream: boolean,
): Promise<PdfFault | 'damaged' | undefined> {
  const inflate = createInflateRaw({ chunkSize: 65_536 })
  const source = (function* () {
    const step = 16_384
    for (let at = start; at < bytes.length; at += step) {
      yield bytes.subarray(at, Math.min(at + step, bytes.length))
    }
  })()
  let unpackedBytes = 0
  let carried: Uint8Array = new Uint8Array(0)
  let fault: PdfFault | 'damaged' | undefined
  const feed = () => {
    for (;;) {
      const { value, done } = source.next()
      if (done) {
        inflate.end()
        return
      }
      if (!inflate.write(value)) return
    }
  }
  inflate.on('drain', feed)
  feed()
  try {
    for await (const chunk of inflate as AsyncIterable<Buffer>) {
      if (unpackedBytes === 0 && isPacked(chunk)) fault = 'too large'
      unpackedBytes += chunk.length
      if (unpackedBytes > Math.min(maxBytesOfStream, budget.unpackedBytes)) fault = 'too large'
      if (isObjectStream && unpackedBytes > budget.unpackedObjectBytes) fault = 'too large'
      if (inflate.bytesWritten > budget.packedBytes) fault = 'unusual'
      const piece = carried.length > 0 ? Buffer.concat([carried, chunk]) : chunk
      fault ??= findNamedFault(piece, isObjectStream)
      if (fault) break
      // A name may go on in the next piece.
      carried = piece.subarray(Math.max(0, piece.length - 3 * maxNameLength - 2))
    }
  } catch {
    fault = 'damaged'
  } finally {
    inflate.off('drain', feed)
    inflate.destroy()
  }
  budget.unpackedBytes -= unpackedBytes
  if (isObjectStream) budget.unpackedObjectBytes -= unpackedBytes
  budget.packedBytes -= inflate.bytesWritten
  return fault ?? (budget.packedBytes < 0 ? 'unusual' : undefined)
}

function findNamedFault(bytes: Uint8Array, isObjectStream: boolean): PdfFault | undefined {
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== slash) continue
    const meaning = readName(bytes, at + 1)
    const fault = meaning && faultOf(meaning, bytes, at + 1, isObjectStream)
    if (fault) return fault
  }
  return undefined
}

/** What the name that begins here means, its `#xx` decoded. */
function readName(bytes: Uint8Array, start: number): Meaning | undefined {
  let hash = 0
  let length = 0
  for (let at = start; at < bytes.length; at++) {
    let byte = bytes[at] ?? 0
    if (endsName[byte] === 1) break
    if (byte === numberSign) {
      const code = hexDigit(bytes[at + 1]) * 16 + hexDigit(bytes[at + 2])
      if (!Number.isNaN(code)) {
        byte = code
        at += 2
      }
    }
    // Every name that matters begins with a capital letter.
    if (length === 0 && (byte < 0x41 || byte > 0x5a)) return undefined
    if (++length > maxNameLength) return undefined
    hash = withByte(hash, byte)
  }
  return length === 0 ? undefined : meaningsByHash.get(hash)
}

function hashOf(name: Uint8Array): number {
  return name.reduce(withByte, 0)
}

function withByte(hash: number, byte: number): number {
  return (Math.imul(hash, 0x01000193) + byte) | 0
}

/** Looks at the value of the name that begins at a place. */
type ValueTest = (bytes: Uint8Array, start: number) => boolean

/** Whether the name that begins there has a list or another object as its value. */
function isListOrReference(bytes: Uint8Array, start: number): boolean {
  const value = past(bytes, past(bytes, start, isOfName), isWhite)
  if (bytes[value] === 0x5b /* [ */) return true
  const digits = past(bytes, value, isDigit)
  return digits > value && !isNumber(bytes, start)
}

/** Whether a number follows the name that begins there, rather than a reference to an object such as `12 0 R`. */
function isNumber(bytes: Uint8Array, start: number): boolean {
  const value = past(bytes, past(bytes, start, isOfName), isWhite)
  const digits = past(bytes, value, isDigit)
  if (digits === value) return false
  const next = past(bytes, digits, isWhite)
  const end = past(bytes, next, isDigit)
  return end === next || bytes[past(bytes, end, isWhite)] !== 0x52 /* R */
}

/** The place of the next byte of another kind, a few places on at most. */
function past(bytes: Uint8Array, start: number, isOfKind: (byte?: number) => boolean): number {
  let at = start
  while (at < start + 16 && isOfKind(bytes[at])) at++
  return at
}

const isOfName = (byte = 0) => endsName[byte] === 0
const isWhite = (byte = -1) => byte === 0x20 || (byte >= 0 && byte <= carriageReturn)
const isDigit = (byte = -1) => byte >= 0x30 && byte <= 0x39

/** NaN for what is none. */
function hexDigit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : Number.NaN
}

function isWord(bytes: Uint8Array, start: number, word: string): boolean {
  if (start < 0) return false
  for (let index = 0; index < word.length; index++) {
    if (bytes[start + index] !== word.charCodeAt(index)) return false
  }
  return true
}

/** Where a stream's data begins: after the end of the line, which readers look for beyond a comment as well. */
function startOfData(bytes: Uint8Array, start: number): number | undefined {
  for (let at = start; at < Math.min(bytes.length, start + 64); at++) {
    if (bytes[at] === carriageReturn) return bytes[at + 1] === lineFeed ? at + 2 : at + 1
    if (bytes[at] === lineFeed) return at + 1
  }
  return undefined
}

/** RFC 1950, 2.2: the method deflate, and a checksum over the two bytes. */
function isZlibHeader(bytes: Uint8Array, at: number): boolean {
  const method = bytes[at] ?? 0
  const flags = bytes[at + 1] ?? 0
  return (method & 0x0f) === 8 && ((method << 8) | flags) % 31 === 0
}

/** Whether data that has been unpacked is deflated once more. */
function isPacked(bytes: Uint8Array): boolean {
  if (!isZlibHeader(bytes, 0)) return false
  const limit = 16_384
  try {
    const beginning = bytes.subarray(2, 2048)
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: limit }
    return inflateRawSync(beginning, options).length >= 512
  } catch (error) {
    return error instanceof RangeError
  }
}
