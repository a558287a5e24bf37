import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

export type SmallDisk = {
  directory: string
  /** Leaves no byte of room. */
  fill(): void
  free(): void
  remove(): void
}

/** A disk of so many megabytes in memory that `owner` may write to; nothing where this machine mounts none. */
export function mountSmallDisk(megabytes: number, owner = userInfo().username): SmallDisk | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'hearth-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', directory], {
      stdio: 'ignore',
    })
  } catch {
    rmSync(directory, { recursive: true, force: true })
    return undefined
  }
  const filler = join(directory, 'filler')
  const unmount = () => {
    // Lazily: a process may still have files open there, which close when it ends.
    execFileSync('umount', ['--lazy', directory])
    rmSync(directory, { recursive: true, force: true })
  }
  try {
    execFileSync('chown', [owner, directory])
  } catch (error) {
    unmount()
    throw error
  }
  return {
    directory,
    fill() {
      const file = openSync(filler, 'w')
      for (let size = 1024 * 1024; size >= 1; size = size > 1 ? size >> 1 : 0) {
        try {
          for (;;) writeSync(file, Buffer.alloc(size))
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        }
      }
      closeSync(file)
    },
    free: () => rmSync(filler, { force: true }),
    remove: unmount,
  }
}
