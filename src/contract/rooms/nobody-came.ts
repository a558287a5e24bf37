import { z } from 'zod'
import { Instant } from '../common.ts'

/** What a client may report of a practitioner who has not come so far. */
export const NobodyCame = z.object({
  /**
   * From when: the client has been alone in the room for 10 minutes of the session by then. Null if they have not been and
   * are not there, before the start, and after `until`.
   */
  from: Instant.nullable(),
  /** A day after the end of the session. */
  until: Instant,
})
export type NobodyCame = z.infer<typeof NobodyCame>
