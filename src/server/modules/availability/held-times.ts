import type { Tx } from '../../db/connection.ts'
import type { Deps } from '../../deps.ts'
import * as store from './held-times.store.ts'

/** Books and extends held times. */
export function createHeldTimes({ clock }: Pick<Deps, 'clock'>) {
  return {
    /** Turns a hold into a booking. `over`: it has expired or was released; `away`: the caller rolls back. */
    async book(tx: Tx, reservationId: string): Promise<'booked' | 'over' | 'away'> {
      const booked = await store.bookReservation(tx, reservationId, clock.now())
      if (!booked) return 'over'
      return booked.is_in_time_off ? 'away' : 'booked'
    },

    /** Whether time off of the practitioner overlaps a held time. */
    isAway: (tx: Tx, reservationId: string): Promise<boolean> => store.liesInTimeOff(tx, reservationId),

    /** Returns false if the hold has expired or was released. */
    async extendHold(tx: Tx, reservationId: string, expiresAt: Date): Promise<boolean> {
      return store.setDeadline(tx, reservationId, expiresAt, clock.now())
    },
  }
}
