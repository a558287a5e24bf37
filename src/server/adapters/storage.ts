import type { Config } from '../config.ts'
import { localDirectory, localStorage } from '../integrations/object-storage/local.ts'
import type { ObjectStorage } from '../integrations/object-storage/port.ts'
import type { S3Options } from '../integrations/object-storage/s3.ts'

/** The bucket that is configured, or undefined where files stay in `DATA_DIR`. */
export function s3Of(config: Config): S3Options | undefined {
  const { S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = config
  if (!S3_BUCKET || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY) return undefined
  return {
    endpoint: config.S3_ENDPOINT,
    region: config.S3_REGION,
    bucket: S3_BUCKET,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
    direct: config.S3_DIRECT,
  }
}

/** Where uploaded files are kept, as configured. The S3 client is loaded only for a bucket. */
export async function storageOf(config: Config): Promise<ObjectStorage> {
  const s3 = s3Of(config)
  if (!s3) return localStorage(localDirectory(config.DATA_DIR))
  const { s3Storage } = await import('../integrations/object-storage/s3.ts')
  return s3Storage(s3)
}

/** Where browsers read files from besides the product itself, if they do: what pages may show comes from there as well. */
export async function filesOrigin({ address }: ObjectStorage): Promise<string | null> {
  if (!address) return null
  const shown = { contentType: 'image/webp', cacheControl: 'no-store', seconds: 1 }
  return new URL(await address('portraits/any/64.webp', shown)).origin
}
