import { z } from 'zod'
import { FreeText, IdInPath, PageMeta, PageQuery } from '../common.ts'
import { defineEndpoints } from '../endpoint.ts'
import { Report, ReportState } from '../reviews.ts'

const decision = { access: ['admin'], params: z.object({ id: IdInPath }), answer: Report } as const
const Reasoned = z.object({
  reason: FreeText(2000).trim().min(1, 'Give a reason: the person who wrote it will read it.'),
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
  },
  'POST /admin/reports/{id}/restore': {
    ...decision,
    summary: 'Show again what was hidden',
  },
})
