import { readFile } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createInflate } from 'node:zlib'
import { fail } from '../errors.ts'

const megabyte = 1024 * 1024

/** A page scanned in colour at 300 dpi unpacks to 26 MB. */
const maxOfOneStream = 120 * megabyte
const maxOfAllStreams = 500 * megabyte
/** Where a stream's dictionary stands before its data. */
const dictionaryBytes = 1024

/**
 * Looks whether a PDF is whole, and whether its packed streams stay within reason once somebody opens it. They are
 * unpacked chunk by chunk and thrown away.
 * @throws 422 when it is cut off or unpacks beyond all measure
 */
export async function checkPdf(path: string): Promise<void> {
  const bytes = await readFile(path)
  if (!bytes.subarray(-2048).includes('%%EOF')) {
    throw fail('unreadable_file', 'This PDF is cut off in the middle. Please choose it again.')
  }
  let total = 0
  for (const { data, dictionary } of streamsOf(bytes)) {
    const packings = dictionary.match(/\/(FlateDecode|Fl|LZWDecode|LZW)\b/g)?.length ?? 0
    // Packed twice, a few bytes become anything; no scanner or printer does that.
    if (packings > 1) throw tooMuch()
    if (packings === 1) total += await unpackedSize(data)
    if (total > maxOfAllStreams) throw tooMuch()
  }
}

function tooMuch() {
  return fail(
    'unreadable_file',
    'This PDF unpacks to far more than its size, so we do not open it. Please print it to a new PDF and send that.',
  )
}

/** The data of each stream, up to its declared length or its end mark, whichever is further. */
function* streamsOf(bytes: Buffer): Iterable<{ data: Buffer; dictionary: string }> {
  const mark = 'stream'
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + mark.length)) {
    if (bytes.subarray(at - 3, at).toString('latin1') === 'end') continue
    let from = at + mark.length
    if (bytes[from] === 0x0d) from++
    if (bytes[from] === 0x0a) from++
    const before = bytes.subarray(Math.max(0, at - dictionaryBytes), at).toString('latin1')
    const dictionary = before.slice(before.lastIndexOf(' obj') + 1)
    const [, length = '0'] = /\/Length\s+(\d+)(?!\s+\d+\s+R)/.exec(dictionary) ?? []
    const end = bytes.indexOf('endstream', from)
    yield { data: bytes.subarray(from, Math.max(from + Number(length), end)), dictionary }
  }
}

/** How many bytes a deflated stream holds, counted up to its limit. Data that is none counts as far as it goes. */
async function unpackedSize(packed: Buffer): Promise<number> {
  let size = 0
  const count = new Writable({
    write(chunk: Buffer, _encoding, done) {
      size += chunk.length
      done(size > maxOfOneStream ? tooMuch() : null)
    },
  })
  try {
    await pipeline(chunksOf(packed), createInflate(), count)
  } catch (error) {
    if (size > maxOfOneStream) throw error
  }
  return size
}

/** A little at a time: what follows the stream's end is not even looked at. */
function* chunksOf(bytes: Buffer): Iterable<Buffer> {
  for (let at = 0; at < bytes.length; at += 16_384) yield bytes.subarray(at, at + 16_384)
}
