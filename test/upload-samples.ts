import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

/** A photograph that says where it was taken, in the metadata of its camera. */
export async function photoWithPosition(width = 1200, height = 900): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#8a5a44' } })
    .withExif({
      IFD0: { Make: 'CanaryCamera', Copyright: 'CanaryCopyright' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '53/1 48/1 0/1',
        GPSLongitudeRef: 'W',
        GPSLongitude: '1/1 33/1 0/1',
      },
    })
    .jpeg()
    .toBuffer()
}

function pngChunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const named = Buffer.concat([Buffer.from(type), data])
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** A PNG in black and white: small as a file, and as large as wanted once it is unpacked. */
export function vastPng(side: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header[8] = 1
  const rows = Buffer.alloc(side * (Math.ceil(side / 8) + 1))
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows, { level: 1 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** A PDF of one page whose one stream unpacks to so many bytes. */
export function pdf(unpackedBytes = 40): Buffer {
  const packed = deflateSync(Buffer.alloc(unpackedBytes, 0x20), { level: 1 })
  return Buffer.concat([
    Buffer.from(
      `%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R >>\nendobj\n4 0 obj\n<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`,
    ),
    packed,
    Buffer.from('\nendstream\nendobj\ntrailer\n<< /Root 1 0 R /Size 5 >>\n%%EOF\n'),
  ])
}

/** The beginning of an MP4, as far as the server inspects it. */
export function mp4(bytes = 64): Buffer {
  const file = Buffer.alloc(Math.max(32, bytes), 7)
  file.writeUInt32BE(24, 0)
  file.write('ftypmp42', 4, 'latin1')
  file.writeUInt32BE(0, 12)
  file.write('mp42isom', 16, 'latin1')
  return file
}
