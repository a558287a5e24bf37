import { deflateRawSync } from 'node:zlib'

/** Files that are as hard to read as their bytes allow, in any size. Each family makes one of about so many bytes. */
export type Family = (bytes: number) => Buffer

const repeated = (piece: string | Buffer, bytes: number) => Buffer.alloc(bytes, piece)
const uint32 = (value: number, endian: 'BE' | 'LE' = 'BE') => {
  const bytes = Buffer.alloc(4)
  if (endian === 'BE') bytes.writeUInt32BE(value)
  else bytes.writeUInt32LE(value)
  return bytes
}

/** A file that begins and ends like a PDF. */
const pdfAround = (middle: Buffer) =>
  Buffer.concat([Buffer.from('%PDF-1.7\n'), middle, Buffer.from('\n%%EOF\n')])
const pdfOf =
  (piece: string | Buffer): Family =>
  (bytes) =>
    pdfAround(repeated(piece, bytes))

/** Stored blocks of no bytes: nothing comes of them, however many there are. */
const emptyBlocks = Buffer.from([0x00, 0x00, 0x00, 0xff, 0xff])

export const hostilePdfs: Record<string, Family> = {
  'the word stream': pdfOf('stream '),
  'streams without an end': pdfOf('1 0 obj\n<< /Length 9 >>\nstream\n'),
  'ends of streams': pdfOf('endstream\n'),
  'the word obj': pdfOf('1 0 obj\n'),
  'the word endobj': pdfOf('endobj '),
  'the digits of a length': (bytes) =>
    pdfAround(Buffer.concat([Buffer.from('1 0 obj << /Length '), repeated('1', bytes)])),
  'spaces after a length': (bytes) =>
    pdfAround(Buffer.concat([Buffer.from('1 0 obj << /Length'), repeated(' ', bytes)])),
  'opened dictionaries': pdfOf('<<'),
  'opened arrays': pdfOf('['),
  'opened strings': pdfOf('('),
  slashes: pdfOf('/'),
  'short names': pdfOf('/A'),
  'escaped names': pdfOf('/#4a#61#76#61'),
  'one endless name': (bytes) => pdfAround(Buffer.concat([Buffer.from('/J'), repeated('a', bytes)])),
  comments: pdfOf('%\n'),
  'streams that look deflated': pdfOf(
    Buffer.from([...Buffer.from('<< /FlateDecode >>stream\n'), 0x78, 0x9c]),
  ),
  'streams inside the data of streams': (bytes) => {
    // Each begins a deflated stream of empty blocks that reads on to the end of the file.
    const beginning = Buffer.concat([Buffer.from('stream\n'), Buffer.from([0x78, 0x9c])])
    const length = beginning.length + 5 * 200
    const stored = Buffer.alloc(5)
    stored.writeUInt16LE(beginning.length, 1)
    stored.writeUInt16LE(~beginning.length & 0xffff, 3)
    return pdfOf(Buffer.concat([beginning, repeated(emptyBlocks, length - beginning.length), stored]))(bytes)
  },
  'one deflated stream of nothing': (bytes) =>
    pdfAround(
      Buffer.concat([Buffer.from('stream\n'), Buffer.from([0x78, 0x9c]), repeated(emptyBlocks, bytes)]),
    ),
  'object streams full of slashes': (bytes) => {
    const packed = deflateRawSync(Buffer.alloc(100_000, '/A'))
    const piece = Buffer.concat([
      Buffer.from('1 0 obj\n<< /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode >>\nstream\n'),
      Buffer.from([0x78, 0x9c]),
      packed,
      Buffer.from('\nendstream\nendobj\n'),
    ])
    return pdfOf(piece)(bytes)
  },
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const pngHeader = Buffer.concat([
  uint32(13),
  Buffer.from('IHDR'),
  uint32(8),
  uint32(8),
  Buffer.from([8, 0, 0, 0, 0]),
  uint32(0xe164e157),
])
const pngOf =
  (piece: Buffer): Family =>
  (bytes) =>
    Buffer.concat([pngSignature, pngHeader, repeated(piece, bytes)])
const jpegOf =
  (piece: Buffer): Family =>
  (bytes) =>
    Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 2]), repeated(piece, bytes)])
const webpOf =
  (piece: Buffer): Family =>
  (bytes) =>
    Buffer.concat([Buffer.from('RIFF'), uint32(bytes + 4, 'LE'), Buffer.from('WEBP'), repeated(piece, bytes)])

export const hostilePictures: Record<string, Family> = {
  'PNG chunks of no length': pngOf(Buffer.concat([uint32(0), Buffer.from('IDAT'), uint32(0x35af061e)])),
  'PNG texts': pngOf(Buffer.concat([uint32(2), Buffer.from('tEXt'), Buffer.from('a\0'), uint32(0)])),
  'PNG animation frames': pngOf(Buffer.concat([uint32(0), Buffer.from('fcTL'), uint32(0)])),
  'JPEG markers': jpegOf(Buffer.from([0xff, 0xd8])),
  'JPEG application segments': jpegOf(Buffer.from([0xff, 0xe1, 0, 2])),
  'JPEG colour profiles': jpegOf(
    Buffer.concat([Buffer.from([0xff, 0xe2, 0, 16]), Buffer.from('ICC_PROFILE\0'), Buffer.from([1, 255])]),
  ),
  'JPEG Huffman tables': jpegOf(Buffer.from([0xff, 0xc4, 0, 19, ...Array.from({ length: 17 }, () => 0)])),
  'JPEG scans': (bytes) =>
    Buffer.concat([
      Buffer.from([0xff, 0xd8, 0xff, 0xc2, 0, 11, 8, 0, 64, 0, 64, 1, 1, 0x11, 0]),
      repeated(Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 0, 0, 0]), bytes),
    ]),
  'JPEG fill bytes': jpegOf(Buffer.from([0xff])),
  'WebP chunks of no length': webpOf(Buffer.concat([Buffer.from('ALPH'), uint32(0)])),
  'WebP unknown chunks': webpOf(Buffer.concat([Buffer.from('ABCD'), uint32(0)])),
}

const mp4Of =
  (piece: Buffer): Family =>
  (bytes) =>
    Buffer.concat([uint32(16), Buffer.from('ftypmp42'), uint32(0), repeated(piece, bytes)])
const webmOf =
  (piece: Buffer): Family =>
  (bytes) =>
    Buffer.concat([
      Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x08, 0, 0, 0]),
      uint32(bytes),
      repeated(piece, bytes),
    ])

export const hostileVideos: Record<string, Family> = {
  'MP4 boxes of size 0': mp4Of(Buffer.concat([uint32(0), Buffer.from('free')])),
  'MP4 boxes of size 1': mp4Of(Buffer.concat([uint32(1), Buffer.from('free')])),
  'MP4 boxes of size 8': mp4Of(Buffer.concat([uint32(8), Buffer.from('free')])),
  'an MP4 of brands alone': (bytes) =>
    Buffer.concat([uint32(bytes + 16), Buffer.from('ftypmp42'), uint32(0), repeated('isom', bytes)]),
  'WebM voids': webmOf(Buffer.from([0xec, 0x80])),
  'WebM nested headers': webmOf(Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x01])),
  'WebM sizes of eight bytes': webmOf(Buffer.from([0x42, 0x86, 0x01, 0, 0, 0, 0, 0, 0, 0])),
}
