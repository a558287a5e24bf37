import type { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  NoSuchKey,
  NotFound,
  S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { checkKey, type ObjectStorage, type Shown } from './port.ts'

export type S3Options = {
  /** Of a service that speaks S3; Amazon's own when absent. */
  endpoint?: string | undefined
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  /** Whether browsers may be sent to the bucket itself, by signed addresses. */
  direct?: boolean
  /** How long the service has to begin its answer to one of four attempts, in milliseconds. */
  patience?: number
}

/** Bytes of a part; a stream that is shorter goes in one request. */
const partSize = 8 * 1024 * 1024

/** Objects in a bucket that all instances share. */
export function s3Storage(options: S3Options): ObjectStorage & {
  /** Bytes of an object, or undefined where there is none. */
  size(key: string): Promise<number | undefined>
  close(): void
} {
  const { bucket: Bucket } = options
  const client = new S3Client({
    region: options.region,
    credentials: { accessKeyId: options.accessKeyId, secretAccessKey: options.secretAccessKey },
    ...(options.endpoint ? { endpoint: options.endpoint, forcePathStyle: true } : {}),
    // Other services than Amazon's do not know the checksums that are sent by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 4,
    // Without limits a service that takes a request and never answers holds it, and its caller, for ever. Bodies
    // may pause: a video is read as it is watched.
    requestHandler: {
      connectionTimeout: 5000,
      requestTimeout: options.patience ?? 30_000,
      throwOnRequestTimeout: true,
    },
  })
  return {
    async put(key, source) {
      checkKey(key)
      // In parts: what breaks off is given up whole, and only a finished object gets its name. Parts of an upload whose
      // process ends are left to a lifecycle rule of the bucket (docs/operations.md): other instances may be uploading.
      await new Upload({ client, params: { Bucket, Key: key, Body: source }, partSize, queueSize: 2 }).done()
    },

    async get(key, range) {
      checkKey(key)
      try {
        const {
          Body,
          ContentLength = 0,
          ContentRange,
        } = await client.send(
          new GetObjectCommand({
            Bucket,
            Key: key,
            ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}),
          }),
        )
        const whole = /\/(\d+)$/.exec(ContentRange ?? '')?.[1]
        return { stream: Body as Readable, bytes: whole ? Number(whole) : ContentLength }
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined
        throw error
      }
    },

    ...(options.direct ? { address: signedAddress } : {}),

    async remove(key) {
      checkKey(key)
      await client.send(new DeleteObjectCommand({ Bucket, Key: key }))
    },

    async size(key) {
      checkKey(key)
      try {
        const { ContentLength } = await client.send(new HeadObjectCommand({ Bucket, Key: key }))
        return ContentLength
      } catch (error) {
        if (error instanceof NotFound) return undefined
        throw error
      }
    },

    close: () => client.destroy(),
  }

  /** Computed here, without a request to the storage. */
  function signedAddress(key: string, { seconds, since, ...shown }: Shown): Promise<string> {
    checkKey(key)
    const command = new GetObjectCommand({
      Bucket,
      Key: key,
      ResponseContentType: shown.contentType,
      ResponseCacheControl: shown.cacheControl,
      ...(shown.contentDisposition ? { ResponseContentDisposition: shown.contentDisposition } : {}),
    })
    return getSignedUrl(client, command, {
      expiresIn: seconds,
      ...(since ? { signingDate: since } : {}),
    })
  }
}
