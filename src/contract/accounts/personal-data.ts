import { z } from 'zod'
import { Instant, Success } from '../common.ts'
import { defineEndpoints, withoutToken } from '../endpoint.ts'
import { CurrentPassword } from './account-settings.ts'

/** One kind of thing that is kept about a person. */
export const ExportSection = z.object({
  title: z.string(),
  about: z.string(),
  entries: z.array(z.record(z.string(), z.unknown())),
})
export type ExportSection = z.infer<typeof ExportSection>

export const Export = z.object({
  read_me: z.array(z.string()),
  created_at: Instant,
  sections: z.array(ExportSection),
})
export type Export = z.infer<typeof Export>

/** Why an account cannot be deleted yet, and what can be done about it. */
export const Hindrance = z.object({
  kind: z.enum(['upcoming_session', 'money_under_way']),
  message: z.string(),
  way_out: z.string(),
  /** Of the session that it is about. */
  starts_at: Instant.nullable(),
  /** The page where something can be done. */
  path: z.string().nullable(),
})
export type Hindrance = z.infer<typeof Hindrance>

/** What stays after an account is deleted: without a name, and no longer than it must. */
export const Kept = z.object({ what: z.string(), why: z.string(), how_long: z.string() })
export type Kept = z.infer<typeof Kept>

export const DeleteAccount = z.object({
  current_password: CurrentPassword,
  understood: z.literal(true, 'Please confirm that you understand.'),
})

/** Taking one's data along, and leaving. */
export const personalDataEndpoints = defineEndpoints({
  'GET /client/export': {
    access: ['client'],
    summary: 'Everything that is kept about the caller, to be saved as a file',
    answer: Export,
  },
  'GET /client/delete-account': {
    access: ['client'],
    summary: 'What stands in the way of deleting the account, if anything',
    answer: z.object({ hindrances: z.array(Hindrance) }),
  },
  'POST /client/delete-account': {
    access: ['client'],
    summary: 'Delete the account for good; 409 `not_deletable` with what stands in the way',
    body: DeleteAccount,
    answer: Success,
  },
  'GET /client/kept-after-deletion': {
    ...withoutToken,
    summary: 'What stays after an account is deleted, why, and for how long',
    answer: z.array(Kept),
  },
})
