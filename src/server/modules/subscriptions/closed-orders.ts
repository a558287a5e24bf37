import type { Db } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fail } from '../../errors.ts'
import { attempt } from '../../jobs/attempt.ts'
import type { Documents } from '../practitioners/documents/documents.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import * as store from './video-orders.store.ts'

type Dependencies = Pick<Deps, 'db' | 'log'> & {
  documents: Pick<Documents, 'closedToEmpty' | 'discard'>
  practitioners: Pick<Practitioners, 'lock'>
}

/** Gives up the videos that were made for practitioners who have left, and what they wrote about them. */
export async function emptyClosedOrders({ db, log, documents, practitioners }: Dependencies): Promise<void> {
  for (const id of await store.listToEmpty(db, documents.closedToEmpty())) {
    await attempt(log, 'emptying the video order of a closed profile', () =>
      inTransaction(db, async (tx) => {
        await practitioners.lock(tx, id)
        const course = (await store.readCourses(tx, [id])).get(id)
        for (const { file_id } of course?.steps ?? []) if (file_id) await documents.discard(tx, file_id)
        await store.eraseNotes(tx, id)
      }),
    )
  }
}

/** @throws 409 `transition_refused` for an order of a closed profile: no step of its practitioner can follow */
export async function requireOpen(
  practitioners: Pick<Practitioners, 'closingOf'>,
  handle: Db,
  practitionerId: number,
): Promise<void> {
  if (await practitioners.closingOf(handle, practitionerId)) {
    throw fail('transition_refused', 'This profile is closed. Its practitioner can no longer answer.')
  }
}
