import { z } from 'zod'
import { AppointmentState, BookingType, SessionRoom, SharedCancelCause } from './bookings/bookings.ts'
import { TherapistSession } from './bookings/practitioner-sessions.ts'
import { AppointmentType, Id, Instant, Pounds, TimeZone } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { HelpIssue } from './get-help/help-dispatch.ts'
import { PastSession } from './reviews.ts'
import { SeriesOfSession } from './series/series.ts'

/** A session as the page of it shows it to either of its two people. */
export const Session = z.object({
  appointment_id: z.uuid(),
  /** Increments with every change of the session. A mail's link carries it, which tells an old link. */
  sequence: z.number().int(),
  you: z.enum(['client', 'practitioner']),
  /** The other person; of a client, no more than the first name and an initial. */
  other: z.object({
    name: z.string(),
    image: z.string().nullable(),
    provider_types: z.array(z.string()),
    /** Of the public profile; null where the other is a client. */
    practitioner_id: Id.nullable(),
    /** Of a client: of their clock when they booked; null where that is not known. */
    timezone: z.string().nullable(),
  }),
  booking_type: BookingType,
  status: AppointmentState,
  service_name: z.string().nullable(),
  /** What help right now was asked for. */
  issue: HelpIssue.nullable(),
  appointment_type: AppointmentType,
  starts_at: Instant,
  ends_at: Instant,
  location: z.object({ location_name: z.string(), address: z.string() }).nullable(),
  /** Of the place, for a link to a map. Null online, where they are not known, and before the client may know the address. */
  coordinates: z.object({ latitude: z.number(), longitude: z.number() }).nullable(),
  /** The start before the last move to another time; null if it was never moved. */
  moved_from: Instant.nullable(),
  /** The link of `room` if it is the practitioner's own. */
  meeting_link: z.string().nullable(),
  /** Only while the session is confirmed, online and not being checked. */
  room: SessionRoom.nullable(),
  /** What the client pays; to the practitioner, the fee before any discount. */
  price: Pounds,
  cancelled_by: z.enum(['client', 'practitioner', 'system']).nullable(),
  cancelled_because: SharedCancelCause.nullable(),
  /** Until when the session is being checked; it is cancelled by then unless it is restored. */
  frozen_until: Instant.nullable(),
  series: SeriesOfSession.nullable(),
  /** The chat of the two; null as long as neither has opened one. */
  dialog_id: z.uuid().nullable(),
  /** Whether neither can write, because the practitioner is suspended or has closed their profile. */
  chat_closed: z.boolean().optional(),
  /** Money, terms, review and no-show as the client sees them; null to the practitioner. */
  as_client: PastSession.nullable(),
  /** Money, outcome and what may be done, as the practitioner sees them; null to the client. */
  as_practitioner: TherapistSession.nullable(),
})
export type Session = z.infer<typeof Session>

export const SessionOfChatQuery = z.object({
  dialog_id: z.uuid(),
  /** Of the caller's day. */
  timezone: TimeZone,
})

export const sessionEndpoints = defineEndpoints({
  'GET /sessions/today': {
    access: ['client', 'therapist'],
    summary:
      "The session that a chat's two people have today (the one that runs, else the next, else the last), and the hours that they keep",
    query: SessionOfChatQuery,
    answer: z.object({
      data: Session.nullable(),
      /** Series of the two that are agreed and have not ended. */
      series: z.array(SeriesOfSession),
    }),
  },
  'GET /sessions/{appointment_id}': {
    access: ['client', 'therapist'],
    owner: 'appointment',
    summary: 'One session, booked once, for its client and its practitioner alike',
    params: z.object({ appointment_id: z.uuid() }),
    answer: Session,
  },
})
