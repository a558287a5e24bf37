import type { Db, Tx } from '../../db/connection.ts'
import type { Deps } from '../../deps.ts'
import type { Availability } from '../availability/availability.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import { claimWindow } from './get-help.rules.ts'
import { isStillAvailable, listCandidates } from './get-help.store.ts'

type Dependencies = Pick<Deps, 'clock'> & { availability: Availability; practitioners: Practitioners }

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
export function createMatching({ clock, availability, practitioners }: Dependencies) {
  return {
    /** Who would be asked now. Holds nobody. */
    async best(handle: Db, issueId: number): Promise<number | undefined> {
      const [first] = await candidates(handle, { issueId, dispatchId: null, preferredId: null }, 1)
      return first
    },

    /** Whether somebody who is claimed still is listed and available. Keeps it so until the transaction ends. */
    async stillFits(tx: Tx, practitionerId: number): Promise<boolean> {
      await practitioners.bookable(tx, [practitionerId], 'share')
      return isStillAvailable(tx, practitionerId, clock.now())
    },

    /**
     * Claims one: the preferred one if still free, else the next. The exclusion constraint decides between several who
     * want the same. `nobody`, or `client_busy` when the client has another session in that time.
     */
    async claim(
      tx: Tx,
      wanted: Wanted,
    ): Promise<{ practitionerId: number; reservationId: string } | 'nobody' | 'client_busy'> {
      const lost = new Set<number>()
      for (;;) {
        const free = (await candidates(tx, wanted, atATime + lost.size)).filter((id) => !lost.has(id))
        if (free.length === 0) return 'nobody'
        for (const practitionerId of free) {
          const bookable = (await practitioners.bookable(tx, [practitionerId], 'share')).get(practitionerId)
          const taken =
            bookable &&
            (await availability.take(tx, {
              practitionerId,
              clientId: wanted.clientId,
              pauseMinutes: bookable.pauseMinutes,
              ...claimWindow(clock.now()),
            }))
          if (taken === 'client_busy') return 'client_busy'
          if (taken && taken !== 'taken') return { practitionerId, reservationId: taken.reservationId }
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
