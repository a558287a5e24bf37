import { z } from 'zod'
import { Id } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { shortlistedByClient } from './shortlist-limits.ts'

/**
 * Ids of practitioners, for calls that name several. They travel in the body, since an address is kept in histories and
 * in the logs of proxies.
 */
export const PractitionerIds = (max: number) =>
  z.object({
    practitioner_ids: z
      .array(Id)
      .min(1, 'Name at least one practitioner.')
      .max(max, `Name at most ${max} practitioners.`),
  })

export const Shortlist = z.object({
  /** The newest first. */
  practitioner_ids: z.array(Id),
})

export const shortlistEndpoints = defineEndpoints({
  'GET /client/shortlist': {
    access: ['client'],
    summary: 'The practitioners that the caller keeps in mind',
    answer: Shortlist,
  },
  'POST /client/shortlist': {
    access: ['client'],
    summary: `Adds practitioners to the caller's shortlist; at most ${shortlistedByClient} in all. Those no longer listed are left out`,
    body: PractitionerIds(shortlistedByClient),
    answer: Shortlist,
  },
  'POST /client/shortlist/remove': {
    access: ['client'],
    summary: "Takes practitioners off the caller's shortlist",
    body: PractitionerIds(shortlistedByClient),
    answer: Shortlist,
  },
})
