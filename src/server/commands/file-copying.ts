import { readdir, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { Readable } from 'node:stream'
import type { ObjectStorage } from '../integrations/object-storage/port.ts'

type Target = ObjectStorage & { size(key: string): Promise<number | undefined> }

/**
 * Copies every finished file below a folder to a storage under the key it has there, but for those whose size there is the
 * same already: keys are never used again for other content.
 * @throws Error when a file has another size there after it was copied, or when the storage refuses the key; it names the
 * right that the key lacks
 */
export async function copyFiles(
  directory: string,
  target: Target,
  read: (path: string) => Readable,
): Promise<{ copied: number; there: number }> {
  let copied = 0
  let there = 0
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const key = relative(directory, path).split(sep).join('/')
    // A name with a leading dot is an unfinished upload, without a key.
    if (key.split('/').some((part) => part.startsWith('.'))) continue
    const { size } = await stat(path)
    if ((await sizeOf(target, key)) === size) {
      there++
      continue
    }
    await target.put(key, read(path)).catch(nameRight('PutObject', 's3:PutObject on its objects'))
    if ((await sizeOf(target, key)) !== size)
      throw new Error(`${key} was not copied whole. Please run this again.`)
    copied++
  }
  return { copied, there }
}

/** Without `s3:ListBucket`, S3 refuses to say that an object is missing. A refusal of HeadObject has no further words. */
const sizeOf = (target: Target, key: string): Promise<number | undefined> =>
  target
    .size(key)
    .catch(nameRight('HeadObject', 's3:ListBucket on the bucket, or s3:GetObject on its objects'))

const nameRight =
  (operation: string, right: string) =>
  (error: unknown): never => {
    const { $metadata } = (error ?? {}) as { $metadata?: { httpStatusCode?: number } }
    if ($metadata?.httpStatusCode !== 403) throw error
    throw new Error(
      `The bucket answered 403 to ${operation}. The access key lacks ${right}, or key and secret do not match. docs/operations.md lists the rights.`,
      { cause: error },
    )
  }
