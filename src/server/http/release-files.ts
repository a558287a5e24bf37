import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { type Clock, days, later, seconds } from '../clock.ts'
import type { Db } from '../db/connection.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Secrets } from '../secrets.ts'
import * as store from './release-files.store.ts'

/** How long a page of a release may stay open after another one was started. */
const keptFor = days(30)
/** How often the names are read anew for one that is not among them. */
const namesEvery = seconds(1)
/** Files of one statement: some 100 kB. */
const batch = 40
const isKept = /^[\w.-]{1,200}\.(js|css)$/

const compress = promisify(brotliCompress)
const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

export type ReleaseFiles = ReturnType<typeof createReleaseFiles>

type Options = {
  db: Db
  clock: Clock
  secrets: Pick<Secrets, 'seal' | 'open'>
  /** Scripts and styles of this release, as the build wrote them. */
  directory: string
}

/**
 * Scripts and styles of other releases. A page that is open while a release takes the place of another loads parts that it
 * comes to need later, such as a dialog, from an instance that was not built with them.
 */
export function createReleaseFiles({ db, clock, secrets, directory }: Options) {
  let names: ReadonlySet<string> = new Set()
  let namesReadAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined

  return {
    /** Keeps the files of this release for pages that outlive it. Writes nothing where another instance has done so. */
    async keep(): Promise<void> {
      const own = (await readdir(directory)).filter((name) => isKept.test(name)).toSorted()
      const rows = await store.listReleaseFiles(db)
      const present = new Map(rows.map((row) => [row.name, row.left_at]))
      const latest = rows.filter(({ left_at }) => left_at === null).length
      if (latest === own.length && own.every((name) => present.get(name) === null)) return
      const missing: store.ReleaseFileRow[] = []
      for (const name of own) if (!present.has(name)) missing.push(await sealed(name))
      await inTransaction(db, async (tx) => {
        await store.lockReleaseFiles(tx)
        for (let from = 0; from < missing.length; from += batch) {
          await store.addReleaseFiles(tx, missing.slice(from, from + batch))
        }
        const now = clock.now()
        await store.switchRelease(tx, own, { now, before: later(now, -keptFor) })
      })
    },

    /** A file of another release, packed by Brotli; undefined for one of none that is kept. */
    async find(name: string): Promise<Buffer | undefined> {
      if (!isKept.test(name) || !(await isKnown(name))) return undefined
      const body = await store.readSealedBody(db, name)
      if (!body) return undefined
      try {
        return secrets.open('release file', name, body)
      } catch {
        // Changed in the database, or sealed with a key that is gone.
        return undefined
      }
    },
  }

  async function sealed(name: string): Promise<store.ReleaseFileRow> {
    const path = join(directory, name)
    // The build packs all but the smallest.
    const body = await readFile(`${path}.br`).catch(async () => compress(await readFile(path), quick))
    return { name, sealed_body: secrets.seal('release file', name, body) }
  }

  /** Any number of made-up names costs one look at the database in a while. */
  async function isKnown(name: string): Promise<boolean> {
    if (names.has(name)) return true
    if (performance.now() - namesReadAt > namesEvery) {
      reading ??= readNames().finally(() => {
        reading = undefined
      })
    }
    await reading
    return names.has(name)
  }

  async function readNames(): Promise<void> {
    names = new Set((await store.listReleaseFiles(db)).map((row) => row.name))
    namesReadAt = performance.now()
  }
}
