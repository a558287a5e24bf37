import { hours } from '../../clock.ts'
import { defineLimit } from '../../http/limits.ts'

/** Joining computes free time; a client who joins and leaves again would otherwise do so without end. */
export const waitlistJoinsOfClient = defineLimit('waitlist joins of a client', { hits: 30, window: hours(1) })
/** A change computes free time as well. */
export const waitlistChangesOfClient = defineLimit('waitlist changes of a client', {
  hits: 60,
  window: hours(1),
})
export const searchWishesOfClient = defineLimit('search wishes of a client', { hits: 30, window: hours(1) })
