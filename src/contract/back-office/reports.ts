import { z } from 'zod'
import { FreeText, IdInPath, PageMeta, PageQuery } from '../common.ts'
import { defineEndpoints } from '../endpoint.ts'
import { Report, ReportState } from '../reviews.ts'

const ofReview = z.object({ id: IdInPath })
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
    access: ['admin'],
    summary: 'Hide what was reported; settles every open report of it',
    params: ofReview,
    body: Reasoned,
    answer: Report,
  },
  'POST /admin/reports/{id}/dismiss': {
    access: ['admin'],
    summary: 'Leave what was reported as it is; settles every open report of it',
    params: ofReview,
    answer: Report,
  },
  'POST /admin/reports/{id}/restore': {
    access: ['admin'],
    summary: 'Show again what was hidden',
    params: ofReview,
    answer: Report,
  },
})
