import { z } from 'zod'
import { FreeText, IdInPath, Instant } from '../common.ts'
import { defineEndpoints } from '../endpoint.ts'

/** A practitioner to whose room a client came alone, twice or more within 30 days. */
export const RepeatedAbsence = z.object({
  practitioner_id: z.number().int(),
  full_name: z.string(),
  /** When the absence that made this a task was reported. */
  since: Instant,
  /** The sessions to which they did not come, from 30 days before that on; the earliest first. */
  sessions: z.array(z.object({ appointment_id: z.uuid(), starts_at: Instant })),
})
export type RepeatedAbsence = z.infer<typeof RepeatedAbsence>

export const absenceEndpoints = defineEndpoints({
  'GET /admin/absences': {
    access: ['admin'],
    summary: 'Practitioners who did not come to two sessions or more within 30 days, the longest open first',
    answer: z.object({
      data: z.array(RepeatedAbsence),
      /** How many there are, should they be more than are listed. */
      total: z.number().int(),
    }),
  },
  'POST /admin/practitioners/{id}/resolve-absences': {
    access: ['admin'],
    summary: 'Mark the repeated absence of a practitioner as dealt with; another one makes a new task',
    params: z.object({ id: IdInPath }),
    body: z.object({
      reason: FreeText(2000).trim().min(1, 'Say what was done: it stays in the audit log.'),
      /** How many sessions the task showed: where there is another one by now, the answer is 409 `changed_elsewhere`. */
      shown_sessions: z.number().int().optional(),
    }),
    answer: z.object({ total: z.number().int().describe('How many are left') }),
  },
})
