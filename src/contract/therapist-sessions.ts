import { z } from 'zod'
import { AppointmentState, BookingType } from './bookings.ts'
import { AppointmentType, FreeText, Instant, PageMeta, PageQuery, Pounds } from './common.ts'
import { defineEndpoints } from './endpoint.ts'

/** A session as the practitioner sees it: of the client, no more than the first name and an initial. */
export const TherapistSession = z.object({
  appointment_id: z.uuid(),
  /** `Alex M.`, or 'Former client' once the account is deleted. */
  client: z.object({ name: z.string() }),
  booking_type: BookingType,
  status: AppointmentState,
  starts_at: Instant,
  ends_at: Instant,
  appointment_type: AppointmentType,
  service_name: z.string().nullable(),
  location: z.object({ location_name: z.string(), address: z.string() }).nullable(),
  /** The practitioner's own room, for online sessions. */
  meeting_link: z.string().nullable(),
  /** What the practitioner is owed for it: the whole fee, whoever bears a discount; refunded once it is cancelled. */
  fee: Pounds,
  cancelled_by: z.enum(['client', 'practitioner', 'system']).nullable(),
  /** The practitioner's own words on cancelling; a client's are not passed on. */
  your_reason: z.string().nullable(),
  /** What may be done to it now. */
  can: z.object({
    cancel: z.boolean(),
    complete: z.boolean(),
    no_show: z.boolean(),
    /** The client can be written to: their account is still there. */
    message: z.boolean(),
  }),
  /** When it counts as completed by itself, and until when that can be said or corrected; null once that has passed. */
  settles_at: Instant.nullable(),
})
export type TherapistSession = z.infer<typeof TherapistSession>

export const TherapistSessionsQuery = PageQuery.extend({ when: z.enum(['upcoming', 'past']).optional() })

const params = z.object({ appointment_id: z.uuid() })

export const therapistSessionEndpoints = defineEndpoints({
  'GET /therapist/sessions': {
    access: ['therapist'],
    summary:
      "The caller's own sessions: upcoming ones soonest first (the default), or past ones newest first",
    query: TherapistSessionsQuery,
    answer: z.object({
      data: z.array(TherapistSession),
      meta: PageMeta.extend({ timezone: z.string().describe('Of the practitioner') }),
    }),
  },
  'POST /therapist/sessions/{appointment_id}/cancel': {
    access: ['therapist'],
    owner: 'appointment',
    summary: 'Cancel a session before its end; the client gets the whole price back and is told',
    params,
    body: z.object({ reason: FreeText(1000, 'Use at most 1,000 characters').trim().nullish() }),
    answer: TherapistSession,
    idempotent: true,
  },
  'POST /therapist/sessions/{appointment_id}/complete': {
    access: ['therapist'],
    owner: 'appointment',
    summary: 'Say that a session took place, once it has begun',
    params,
    answer: TherapistSession,
    idempotent: true,
  },
  'POST /therapist/sessions/{appointment_id}/no-show': {
    access: ['therapist'],
    owner: 'appointment',
    summary: 'Say that the client did not come: from the start until a day after the end',
    params,
    answer: TherapistSession,
    idempotent: true,
  },
})
