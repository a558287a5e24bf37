import sharp from 'sharp'
import { fail } from '../errors.ts'
import { createTurns } from './turns.ts'

export const portraitSizes = [64, 256, 1024] as const
export type PortraitSize = (typeof portraitSizes)[number]

/** A phone's camera makes some 50 million pixels; larger pictures are refused. */
const maxPixels = 60_000_000

/** A large photograph takes two or three seconds; this is for a machine that is busy with much else. */
const timeLimitSeconds = 15
/** Pictures are drawn on libuv's four threads, which passwords and files need as well. */
const turns = createTurns({ size: 2, queueLimit: 20 })

/** Longest side of a picture of a document: small print stays legible. */
const documentSide = 4096

/**
 * A portrait in its sizes, square, as WebP. It is drawn anew, so that nothing of the file survives but what is seen:
 * no place, no camera, no hidden data.
 * @throws 422 when the picture cannot be read, is too large to be unpacked or takes too long; 503 when too many are waiting
 */
export async function drawPortrait(path: string): Promise<Map<PortraitSize, Buffer>> {
  const largest = Math.max(...portraitSizes)
  return readable(async () => {
    const { data, info } = await open(path)
      .resize(largest, largest, { fit: 'cover', position: 'attention' })
      .flatten({ background: '#ffffff' })
      .raw()
      .toBuffer({ resolveWithObject: true })
    const raw = { width: info.width, height: info.height, channels: info.channels }
    const sizes = new Map<PortraitSize, Buffer>()
    for (const size of portraitSizes) {
      sizes.set(size, await sharp(data, { raw }).resize(size, size).webp({ quality: 84 }).toBuffer())
    }
    return sizes
  })
}

/**
 * A picture of a document as JPEG, drawn anew without its metadata.
 * @throws 422 when the picture cannot be read, is too large to be unpacked or takes too long; 503 when too many are waiting
 */
export async function drawDocument(path: string): Promise<Buffer> {
  return readable(() =>
    open(path)
      .resize(documentSide, documentSide, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 88 })
      .toBuffer(),
  )
}

/** Turned the way its camera was held; the first frame of a moving one. */
function open(path: string) {
  return sharp(path, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 })
    .timeout({ seconds: timeLimitSeconds })
    .autoOrient()
}

async function readable<T>(draw: () => Promise<T>): Promise<T> {
  return turns.run(async () => {
    try {
      return await draw()
    } catch (error) {
      const message = error instanceof Error ? error.message : ''
      throw fail(
        'unreadable_file',
        /pixel limit/i.test(message)
          ? 'This picture is too large for us. Please make it smaller and send it again.'
          : /^timeout/i.test(message)
            ? 'This picture took too long to open, so we have not kept it. Please save it again or take another one.'
            : 'This picture is damaged or incomplete. Please choose it again, or take another one.',
      )
    }
  })
}
