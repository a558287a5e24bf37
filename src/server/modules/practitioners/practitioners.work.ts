import type { Tx } from '../../db/connection.ts'
import type { Deps } from '../../deps.ts'
import * as store from './work.store.ts'

/** A practitioner's settings for bookings, for later modules. */
export function createWork({ events }: Pick<Deps, 'events'>) {
  return {
    /** How they take bookings, and until when they are available now. */
    work: store.readWork,

    /** As `work`, while no booking of theirs is under way. */
    lockWork: store.lockWork,

    /** Changes how they take bookings. The caller holds its lock and announces what follows from it. */
    changeWork: store.updateWork,

    /** Sets how many clients wait, as cards show it. Announces a change. */
    async setWaiting(tx: Tx, id: number, waiting: number): Promise<void> {
      if (!(await store.updateWaiting(tx, id, waiting))) return
      await events.announce(tx, 'practitioner.changed', { practitionerId: id })
    },
  }
}
