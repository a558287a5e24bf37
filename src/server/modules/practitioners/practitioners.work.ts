import type { Db, Tx } from '../../db/connection.ts'
import type { Deps } from '../../deps.ts'
import * as store from './work.store.ts'

/** A practitioner's settings for bookings, for later modules. */
export function createWork({ events }: Pick<Deps, 'events'>) {
  return {
    /** How they take bookings, and until when they are available now. */
    async work(handle: Db, id: number): Promise<store.WorkRow | undefined> {
      return store.readWork(handle, id)
    },

    /** As `work`, while no booking of theirs is under way. */
    async lockWork(tx: Tx, id: number): Promise<store.WorkRow | undefined> {
      return store.lockWork(tx, id)
    },

    /** Changes how they take bookings. The caller holds its lock and announces what follows from it. */
    async changeWork(tx: Tx, id: number, change: Parameters<typeof store.updateWork>[2]): Promise<void> {
      await store.updateWork(tx, id, change)
    },

    /** Sets how many clients wait, as cards show it. Announces a change. */
    async setWaiting(tx: Tx, id: number, waiting: number): Promise<void> {
      if (!(await store.updateWaiting(tx, id, waiting))) return
      await events.announce(tx, 'practitioner.changed', { practitionerId: id })
    },
  }
}
