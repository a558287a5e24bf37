import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { removeOldFiles } from '../../old-files.ts'
import { checkKey, type ObjectStorage } from './port.ts'

/** Where objects are kept in a data folder. */
export function localDirectory(dataDirectory: string): string {
  return join(dataDirectory, 'media')
}

/** No key contains a name with a leading dot. */
const unfinishedName = '.unfinished-'

/** Objects as files below a folder of this machine. */
export function localStorage(directory: string): ObjectStorage {
  const pathOf = (key: string) => {
    checkKey(key)
    return join(directory, ...key.split('/'))
  }
  return {
    async put(key, source) {
      const path = pathOf(key)
      await mkdir(dirname(path), { recursive: true })
      const unfinished = join(dirname(path), `${unfinishedName}${randomUUID()}`)
      try {
        await writeDurably(unfinished, source)
        await rename(unfinished, path)
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
    },

    async get(key, range) {
      // Opened before its stream is given away: no removal can make that fail, where nothing may be listening any more.
      const file = await open(pathOf(key)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      })
      if (!file) return undefined
      try {
        const found = await file.stat()
        if (found.isFile()) return { stream: file.createReadStream(range), bytes: found.size }
      } catch (error) {
        await file.close()
        throw error
      }
      await file.close()
      return undefined
    },

    async remove(key) {
      await rm(pathOf(key), { force: true })
    },

    removeUnfinished: (before) =>
      removeOldFiles(directory, before, (name) => name.startsWith(unfinishedName)),
  }
}

/** On the disk itself before it gets its name, so that a crash leaves no object that is cut short. */
async function writeDurably(path: string, source: Readable): Promise<void> {
  const file = await open(path, 'wx')
  try {
    await file.writeFile(source)
    await file.sync()
  } finally {
    await file.close()
  }
}
