import { z } from 'zod'
import {
  AppointmentType,
  FreeText,
  Instant,
  PageMeta,
  PageQuery,
  Pounds,
  RoomKind,
  UuidSent,
} from '../common.ts'
import { defineEndpoints } from '../endpoint.ts'
import { SessionAttendance } from '../rooms/attendance.ts'

/** A no-show that a client disputes, as the back office sees it. */
export const NoShowDispute = z.object({
  appointment_id: z.uuid(),
  state: z.enum(['disputed', 'upheld', 'overturned']),
  starts_at: Instant,
  ends_at: Instant,
  declared_at: Instant,
  disputed_at: Instant,
  decided_at: Instant.nullable(),
  /** The admin who decided, and why; null for an open dispute and if no audit entry names them. */
  decided_by: z.string().nullable(),
  decision_reason: z.string().nullable(),
  /** Null once the client's account is deleted. */
  client_words: z.string().nullable(),
  client: z.object({ full_name: z.string(), email: z.string().nullable() }),
  practitioner: z.object({
    practitioner_id: z.number().int(),
    full_name: z.string(),
    email: z.string().nullable(),
  }),
  appointment_type: AppointmentType,
  /** Of an online session: its own room where a side was seen there, or else where the practitioner holds theirs today. */
  room: RoomKind.nullable(),
  /** Which sides were seen in the session's room. It stays once the times are forgotten. */
  seen: z.object({ client: z.boolean(), practitioner: z.boolean() }),
  /** When each side was in the session's room; null where no times are known, a side's where its own are not. */
  attendance: SessionAttendance.nullable(),
  /** What the client paid, and what of it has been given back or is on its way. */
  paid: Pounds,
  refunded: Pounds,
})
export type NoShowDispute = z.infer<typeof NoShowDispute>

const decision = {
  access: ['admin'],
  params: z.object({ appointment_id: UuidSent }),
  body: z.object({ reason: FreeText(2000).trim().min(1, 'Give a reason: it stays in the audit log.') }),
  answer: NoShowDispute,
} as const

export const disputedNoShowEndpoints = defineEndpoints({
  'GET /admin/no-shows': {
    access: ['admin'],
    summary: 'No-shows that clients dispute: those to decide, oldest first, or those decided, newest first',
    query: PageQuery.extend({ status: z.enum(['open', 'decided']).optional() }),
    answer: z.object({ data: z.array(NoShowDispute), meta: PageMeta }),
  },
  'POST /admin/no-shows/{appointment_id}/uphold': {
    ...decision,
    summary: 'Decide that the client did not come: the fee stays. Repeating it changes nothing',
  },
  'POST /admin/no-shows/{appointment_id}/overturn': {
    ...decision,
    summary:
      'Decide for the client: the session is cancelled and refunded in full. Repeating it changes nothing',
  },
})
