import type { Tx } from '../../db/connection.ts'
import type { Deps } from '../../deps.ts'
import type { Busy } from './availability.rules.ts'
import * as store from './busy-elsewhere.store.ts'

/** Times that a practitioner's own calendar blocks. */
export function createBusyElsewhere({ events }: Pick<Deps, 'events'>) {
  return {
    /**
     * Replaces the busy times of a practitioner's connected calendar, which blocks them from booking. Booked sessions
     * stay booked. Epoch milliseconds, in order and without overlaps.
     */
    async setBusyElsewhere(tx: Tx, practitionerId: number, busy: readonly Busy[]): Promise<void> {
      const before = await store.readBusyElsewhere(tx, practitionerId)
      if (isSame(before, busy)) return
      await store.replaceBusyElsewhere(tx, practitionerId, busy)
      await events.announce(tx, 'availability.changed', { practitionerId })
    },
  }
}

const isSame = (one: readonly Busy[], other: readonly Busy[]) =>
  one.length === other.length &&
  one.every(({ from, to }, index) => from === other[index]?.from && to === other[index].to)
