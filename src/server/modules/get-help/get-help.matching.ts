import type { Db, Tx } from '../../db/connection.ts'
import type { Deps } from '../../deps.ts'
import type { Availability } from '../availability/availability.service.ts'
import type { Bookings } from '../bookings/bookings.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import { isStillAvailable, listCandidates } from './candidates.store.ts'
import { claimWindow } from './get-help.rules.ts'

type Dependencies = Pick<Deps, 'clock'> & {
  availability: Availability
  practitioners: Practitioners
  bookings: Pick<Bookings, 'expireOn'>
}

type Wanted = {
  clientId: string
  issueId: number
  /** Whoever this search has asked already is left out. */
  dispatchId: string | null
  preferredId: number | null
}

/** Enough to find somebody free among those that others take at the same moment. */
const atATime = 10

export type Matching = ReturnType<typeof createMatching>

/** Who could give help right now, and claiming one. */
export function createMatching({ clock, availability, practitioners, bookings }: Dependencies) {
  return {
    /** Who would be asked now. Holds nobody. */
    async best(handle: Db, issueId: number): Promise<number | undefined> {
      const [first] = await candidates(handle, { issueId, dispatchId: null, preferredId: null }, 1)
      return first
    },

    /** Whether somebody who is claimed still is listed and available. Keeps it so until the transaction ends. */
    async stillFits(tx: Tx, practitionerId: number): Promise<boolean> {
      await practitioners.lockRules(tx, practitionerId)
      return isStillAvailable(tx, practitionerId, clock.now())
    },

    /**
     * Claims one: the preferred one if still free, else the next. The exclusion constraint decides between several who
     * want the same. `nobody`, or `client_busy` when the client has another session in that time. With the payment
     * intents to settle of bookings that were in the way and had not been paid in time.
     */
    async claim(
      tx: Tx,
      wanted: Wanted,
    ): Promise<
      { practitionerId: number; reservationId: string; intents: string[] } | 'nobody' | 'client_busy'
    > {
      const lost = new Set<number>()
      const intents: string[] = []
      for (;;) {
        const free = (await candidates(tx, wanted, atATime + lost.size)).filter((id) => !lost.has(id))
        if (free.length === 0) return 'nobody'
        for (const practitionerId of free) {
          const rules = await practitioners.lockRules(tx, practitionerId)
          if (rules) {
            const { outcome, released } = await availability.take(tx, {
              practitionerId,
              clientId: wanted.clientId,
              pauseMinutes: rules.pauseMinutes,
              ...claimWindow(clock.now()),
            })
            intents.push(...(await bookings.expireOn(tx, released)))
            if (outcome === 'client_busy') return 'client_busy'
            if (outcome !== 'taken') return { practitionerId, reservationId: outcome.reservationId, intents }
          }
          lost.add(practitionerId)
        }
      }
    },
  }

  function candidates(handle: Db, wanted: Omit<Wanted, 'clientId'>, most: number): Promise<number[]> {
    const now = clock.now()
    const { issueId, dispatchId, preferredId } = wanted
    return listCandidates(
      handle,
      { issueId, dispatchId, preferredId, now, until: claimWindow(now).endsAt },
      most,
    )
  }
}
