import { days, later } from '../../../clock.ts'
import { inTransaction } from '../../../db/transaction.ts'
import type { Deps } from '../../../deps.ts'
import { attempt } from '../../../jobs/attempt.ts'
import * as profiles from './closed-profiles.store.ts'
import { insertReplacedPortrait, setRemoved } from './documents.store.ts'
import { replacedPortraitLifetime } from './unused-files.ts'

/** How long a closed profile is kept whole, for questions about it. Practitioners are promised a month at most. */
export const keptAfterClosing = days(28)

export type ClosedProfiles = ReturnType<typeof createClosedProfiles>

export function createClosedProfiles({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>) {
  return {
    /**
     * Empties profiles some time after they were closed: documents, licences, portrait, video, and what they say of the
     * person. The name stays for the sessions on clients' lists. Unused files are deleted by `Documents.tidy`.
     */
    async tidy(): Promise<void> {
      const closedBefore = later(clock.now(), -keptAfterClosing)
      for (const id of await profiles.listToEmpty(db, closedBefore)) {
        await attempt(log, 'emptying a closed profile', () =>
          inTransaction(db, async (tx) => {
            const before = await profiles.lockClosed(tx, id)
            if (!before) return
            const now = clock.now()
            const { image_key, video_file_id, video_captions_file_id } = before
            // No page shows it any more, so it need not stay as one that was replaced does.
            if (image_key)
              await insertReplacedPortrait(tx, image_key, id, later(now, -replacedPortraitLifetime))
            const files = await profiles.emptyProfile(tx, id)
            for (const file of [...files, video_file_id, video_captions_file_id]) {
              if (file) await setRemoved(tx, file, now)
            }
          }),
        )
      }
    },
  }
}
