import { z } from 'zod'
import { Id } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { shortlistedByClient } from './shortlist-limits.ts'

const PractitionerIds = z
  .array(Id)
  .min(1, 'Name at least one practitioner')
  .max(shortlistedByClient, `Name at most ${shortlistedByClient} practitioners`)

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
    body: z.object({ practitioner_ids: PractitionerIds }),
    answer: Shortlist,
  },
  'POST /client/shortlist/remove': {
    access: ['client'],
    summary: "Takes practitioners off the caller's shortlist",
    body: z.object({ practitioner_ids: PractitionerIds }),
    answer: Shortlist,
  },
})
