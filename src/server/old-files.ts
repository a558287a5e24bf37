import { opendir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Removes files below a folder that were last written before an instant: all of them, or those of names that are meant. */
export async function removeOldFiles(
  directory: string,
  before: Date,
  isMeant: (name: string) => boolean = () => true,
): Promise<void> {
  const entries = await opendir(directory, { recursive: true }).catch(orNone)
  if (!entries) return
  for await (const entry of entries) {
    if (!entry.isFile() || !isMeant(entry.name)) continue
    const path = join(entry.parentPath, entry.name)
    const found = await stat(path).catch(orNone)
    if (found && found.mtime < before) await rm(path, { force: true })
  }
}

function orNone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
