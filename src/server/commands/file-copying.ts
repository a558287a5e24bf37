import { readdir, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { Readable } from 'node:stream'
import type { ObjectStorage } from '../integrations/object-storage/port.ts'

/**
 * Copies every finished file below a folder to a storage under the key it has there, but for those whose size there is the
 * same already: keys are never used again for other content.
 * @throws Error when a file has another size there after it was copied
 */
export async function copyFiles(
  directory: string,
  target: ObjectStorage & { size(key: string): Promise<number | undefined> },
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
    if ((await target.size(key)) === size) {
      there++
      continue
    }
    await target.put(key, read(path))
    if ((await target.size(key)) !== size)
      throw new Error(`${key} was not copied whole. Please run this again.`)
    copied++
  }
  return { copied, there }
}
