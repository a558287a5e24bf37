import { z } from 'zod'
import { FreeText, IdInPath, InstantSent, PageMeta, PageQuery } from '../common.ts'
import { defineEndpoints } from '../endpoint.ts'
import { Report, ReportState } from '../reviews.ts'

const decision = { access: ['admin'], params: z.object({ id: IdInPath }), answer: Report } as const
/** What was read: where it was changed or reported again since, the answer is 409 `changed_elsewhere`. */
const Shown = z
  .object({
    /** When the review or the reply that was reported was changed last; absent where a server of the release before did not say. */
    edited_at: InstantSent.nullish(),
    open_reports: z.number().int(),
  })
  .optional()
const Reasoned = z.object({
  reason: FreeText(2000).trim().min(1, 'Give a reason: the person who wrote it will read it.'),
  shown: Shown,
})

/** What the back office decides about reports. */
export const reportEndpoints = defineEndpoints({
  'GET /admin/reports': {
    access: ['admin'],
    summary:
      'Reported reviews and replies, each once with all its reports: open ones oldest first, decided ones by the newest decision',
    query: PageQuery.extend({ status: ReportState.optional() }),
    answer: z.object({ data: z.array(Report), meta: PageMeta }),
  },
  'POST /admin/reports/{id}/hide': {
    ...decision,
    summary: 'Hide what was reported; settles every open report of it',
    body: Reasoned,
  },
  'POST /admin/reports/{id}/dismiss': {
    ...decision,
    summary: 'Leave what was reported as it is; settles every open report of it',
    body: z.object({ shown: Shown }).nullish(),
  },
  'POST /admin/reports/{id}/restore': {
    ...decision,
    summary: 'Show again what was hidden',
  },
})
