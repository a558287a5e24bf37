import type { Lookups } from '../../contributions/lookups.ts'
import type { Db, Tx } from '../../db/connection.ts'
import type { Deps } from '../../deps.ts'
import type { Availability } from '../availability/availability.service.ts'
import type { Bookings } from '../bookings/bookings.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import { isStillAvailable, listCandidates } from './candidates.store.ts'
import { claimWindow } from './get-help.rules.ts'

type Dependencies = Pick<Deps, 'clock'> & {
  lookups(): Pick<Lookups, 'blockedPractitioners'>
  availability: Availability
  practitioners: Practitioners
  bookings: Pick<Bookings, 'expireOn'>
}

type Wanted = {
  clientId: string
  issueId: number
  /** The search whose asked practitioners are left out. */
  dispatchId: string | null
  preferredId: number | null
  /** How long the practitioner is kept free, if not for `lifetimes.window`. */
  windowMs?: number
}

/** Enough candidates to find a free one while concurrent searches claim others. */
const atATime = 10

export type Matching = ReturnType<typeof createMatching>

/** Finds practitioners who can give help right now, and claims them. */
export function createMatching({ clock, lookups, availability, practitioners, bookings }: Dependencies) {
  return {
    /** Returns the practitioner who would be asked now, without a claim. */
    async best(handle: Db, clientId: string, issueId: number): Promise<number | undefined> {
      const lost = await blockedFor(handle, clientId)
      const wanted = { issueId, dispatchId: null, preferredId: null }
      return (await candidates(handle, wanted, 1 + lost.size)).find((id) => !lost.has(id))
    },

    /**
     * Checks that a claimed practitioner is still listed and available, and that the chat with the client is not blocked.
     * Locks them until the transaction ends.
     */
    async stillFits(
      tx: Tx,
      { practitioner_id: practitionerId, client_id }: { practitioner_id: number; client_id: string },
    ): Promise<boolean> {
      await practitioners.lockRules(tx, practitionerId)
      if ((await blockedFor(tx, client_id)).has(practitionerId)) return false
      return isStillAvailable(tx, practitionerId, clock.now())
    },

    /**
     * Claims the preferred practitioner if still free, else the next, and none with whom the client's chat is blocked. The
     * exclusion constraint decides between concurrent claims. Returns the claim and the payment intents to finish of
     * unpaid, expired bookings that were in the way. `nobody`: no practitioner is free; `client_busy`: the client has
     * another session then.
     */
    async claim(
      tx: Tx,
      wanted: Wanted,
    ): Promise<
      { practitionerId: number; reservationId: string; intents: string[] } | 'nobody' | 'client_busy'
    > {
      const lost = await blockedFor(tx, wanted.clientId)
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
              ...claimWindow(clock.now(), wanted.windowMs),
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

  /** The practitioners with whom a client's chat is blocked, by either side. */
  async function blockedFor(handle: Db, clientId: string): Promise<Set<number>> {
    return new Set((await lookups().blockedPractitioners(handle, clientId)).keys())
  }

  function candidates(handle: Db, wanted: Omit<Wanted, 'clientId'>, most: number): Promise<number[]> {
    const now = clock.now()
    const { issueId, dispatchId, preferredId, windowMs } = wanted
    return listCandidates(
      handle,
      { issueId, dispatchId, preferredId, now, until: claimWindow(now, windowMs).endsAt },
      most,
    )
  }
}
