import { days, hours, later } from '../../../clock.ts'
import type { Deps } from '../../../deps.ts'
import type { ObjectStorage } from '../../../integrations/object-storage/port.ts'
import { attempt } from '../../../jobs/attempt.ts'
import { portraitSizes } from '../../../uploads/pictures.ts'
import * as store from './documents.store.ts'

/** Age at which an unfinished upload counts as abandoned. */
const unfinishedAfter = hours(2)
/** How long a replaced portrait is still shown where pages and mails name it. */
export const replacedPortraitLifetime = days(30)
/** After so many failures in a row the storage is away, rather than one object refused. */
const failuresInARow = 10

/** Files that nothing uses any more, or does not use yet. */
export function createUnusedFiles({
  db,
  clock,
  log,
  storage,
}: Pick<Deps, 'db' | 'clock' | 'log'> & { storage: ObjectStorage }) {
  return {
    /**
     * Notes the key of a portrait before it is stored, as of one that was replaced: unless a profile shows it soon, as after
     * a crash, `tidy` deletes what there is of it.
     */
    async expectPortrait(practitionerId: number, key: string): Promise<void> {
      const since = later(clock.now(), unfinishedAfter - replacedPortraitLifetime)
      await store.insertReplacedPortrait(db, key, practitionerId, since)
    },

    removePortrait,

    /**
     * Deletes unused files, and the remains of abandoned uploads. What cannot be deleted is tried last in the next run.
     * @throws Error at the end if something could not be deleted
     */
    async tidy(): Promise<void> {
      const now = clock.now()
      await store.deleteOldLinks(db, now)
      const isTidied = await attempt(log, 'deleting unfinished files', async () =>
        storage.removeUnfinished?.(later(now, -unfinishedAfter)),
      )
      const leftOver = await store.readLeftOver(db, later(now, -unfinishedAfter))
      const replacedBefore = later(now, -replacedPortraitLifetime)
      const replaced = await store.readReplacedPortraits(db, replacedBefore)
      const failures = [
        await removeEach(leftOver, removeFile, ({ id }) => store.postponeRemoval(db, id, now)),
        await removeEach(
          replaced,
          ({ image_key }) => removePortrait(image_key),
          ({ image_key }) => store.postponePortrait(db, image_key, replacedBefore),
        ),
      ]
      const count = failures.reduce((sum, each) => sum + each, isTidied ? 0 : 1)
      if (count > 0) throw new Error(`Unused files could not be deleted: ${count} attempts failed.`)
    },
  }

  /** Stops when the storage is away. Returns how many failed. */
  async function removeEach<T>(
    items: T[],
    remove: (item: T) => Promise<void>,
    postpone: (item: T) => Promise<void>,
  ): Promise<number> {
    let failures = 0
    let inARow = 0
    for (const item of items) {
      if (await attempt(log, 'deleting an unused file', () => remove(item))) {
        inARow = 0
        continue
      }
      failures += 1
      inARow += 1
      await postpone(item)
      if (inARow >= failuresInARow) break
    }
    return failures
  }

  async function removeFile({ id, storage_key }: { id: string; storage_key: string }): Promise<void> {
    await storage.remove(storage_key)
    await store.deleteFile(db, id)
  }

  /** Deletes every size of a portrait, and forgets it. */
  async function removePortrait(key: string): Promise<void> {
    for (const size of portraitSizes) await storage.remove(portraitKey(key, size))
    await store.deleteReplacedPortrait(db, key)
  }
}

/** The storage key of one size of a portrait. Portraits of the demo have another extension and are never replaced. */
export function portraitKey(key: string, size: number): string {
  return `portraits/${key}/${size}.webp`
}
