import { randomBytes, randomUUID } from 'node:crypto'
import { constants, crc32, deflateRawSync } from 'node:zlib'

/** What differs between two answers with the same page. */
export type PageValues = { nonce: string; requestId: string }

/**
 * What a page is rendered with in the place of each value. Never sent, so nobody can write it into a text that is shown
 * on a page.
 */
export const placeholders: PageValues = {
  nonce: randomBytes(16).toString('base64url'),
  requestId: randomUUID(),
}

/** A rendered page, cut where its values stand, so that sending it takes no more than putting it together. */
export type PageBody = {
  /** As it is. */
  plain(values: PageValues): Buffer
  /** By gzip: the text between two values is compressed once, however often it is sent. */
  gzip(values: PageValues): Buffer
  /** What it takes of memory, with its compressed form. */
  bytes: number
}

const cuts = new RegExp(`(${placeholders.nonce}|${placeholders.requestId})`)

/** The browser asks for these before any script runs, and they are allowed by where they come from. */
const nonceOfPreload = new RegExp(`(<link rel="modulepreload"[^>]*?) nonce="${placeholders.nonce}"`, 'g')

/** @param text rendered with the placeholders */
export function createPageBody(text: string): PageBody {
  const parts = text.replaceAll(nonceOfPreload, '$1').split(cuts).map(partOf)
  const bytes = parts.reduce((sum, part) => sum + (typeof part === 'string' ? 0 : part.length), 0)
  let compressed: (Buffer | keyof PageValues)[] | undefined
  return {
    bytes: bytes * 1.5,
    plain: (values) => Buffer.concat(parts.map((part) => bytesOf(part, values))),
    gzip(values) {
      compressed ??= parts.map((part) => (typeof part === 'string' ? part : deflated(part)))
      let checksum = 0
      let length = 0
      for (const part of parts) {
        const plain = bytesOf(part, values)
        checksum = crc32(plain, checksum)
        length += plain.length
      }
      const trailer = Buffer.alloc(8)
      trailer.writeUInt32LE(checksum, 0)
      trailer.writeUInt32LE(length % 2 ** 32, 4)
      const blocks = compressed.map((part) =>
        typeof part === 'string' ? storedBlock(Buffer.from(values[part])) : part,
      )
      return Buffer.concat([gzipHeader, ...blocks, lastBlock, trailer])
    },
  }
}

function partOf(text: string): Buffer | keyof PageValues {
  if (text === placeholders.nonce) return 'nonce'
  return text === placeholders.requestId ? 'requestId' : Buffer.from(text)
}

function bytesOf(part: Buffer | keyof PageValues, values: PageValues): Buffer {
  return typeof part === 'string' ? Buffer.from(values[part]) : part
}

/*
 * One stream of gzip (RFC 1952) made of blocks (RFC 1951) that do not refer to each other: a full flush ends each at a
 * whole byte, so that blocks stored as they are can stand between them.
 */
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
const lastBlock = Buffer.from([1, 0, 0, 0xff, 0xff])

function deflated(part: Buffer): Buffer {
  return part.length === 0 ? part : deflateRawSync(part, { finishFlush: constants.Z_FULL_FLUSH })
}

/** @param content of less than 64 KB */
function storedBlock(content: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt16LE(content.length, 1)
  head.writeUInt16LE(content.length ^ 0xffff, 3)
  return Buffer.concat([head, content])
}
