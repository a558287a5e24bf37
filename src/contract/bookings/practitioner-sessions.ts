import { z } from 'zod'
import { Schedule } from '../availability/schedule.ts'
import { SuspensionCause } from '../back-office/back-office.ts'
import {
  AppointmentState,
  BookingType,
  NoShow,
  PaymentDue,
  SessionRoom,
  SharedCancelCause,
} from './bookings.ts'
import {
  AppointmentType,
  Day,
  FreeText,
  Instant,
  PageMeta,
  PageQuery,
  Pounds,
  StartShown,
} from '../common.ts'
import { defineEndpoints } from '../endpoint.ts'
import { SessionAttendance } from '../rooms/attendance.ts'

/** A session as the practitioner sees it: of the client, no more than the first name and an initial. */
export const TherapistSession = z.object({
  appointment_id: z.uuid(),
  /** `Alex M.`, or 'Former client' once the account is deleted. */
  client: z.object({
    name: z.string(),
    /** Of the client's clock when they booked; null where it is not known. */
    timezone: z.string().nullable(),
  }),
  booking_type: BookingType,
  status: AppointmentState,
  starts_at: Instant,
  ends_at: Instant,
  appointment_type: AppointmentType,
  service_name: z.string().nullable(),
  location: z.object({ location_name: z.string(), address: z.string() }).nullable(),
  /** The link of `room` if it is the practitioner's own. */
  meeting_link: z.string().nullable(),
  /** Only while the session is confirmed, online and not being checked. */
  room: SessionRoom.nullable(),
  /** The whole fee, before any discount. */
  fee: Pounds,
  /** What the practitioner is owed for it: the fee less refunds. */
  owed: Pounds,
  /** What became of the client's payment afterwards; null where it stands as it was paid, or the session was cancelled. */
  payment_change: z.enum(['partly_refunded', 'refunded', 'disputed', 'taken_back']).nullable(),
  cancelled_by: z.enum(['client', 'practitioner', 'system']).nullable(),
  cancelled_because: SharedCancelCause.nullable().optional(),
  /** The practitioner's own words on cancelling; a client's are not passed on. */
  your_reason: z.string().nullable(),
  /** What may be done to it now. */
  can: z.object({
    cancel: z.boolean(),
    complete: z.boolean(),
    no_show: z.boolean(),
    /** It can be said that the technology failed; the client gets everything back. */
    technical_failure: z.boolean(),
    /** It can be kept unpaid until it starts. */
    allow_late_payment: z.boolean(),
    /** The client can be written to: their account is still there. */
    message: z.boolean(),
  }),
  /** When it counts as completed by itself, and until when that can be said or corrected; null once that has passed. */
  settles_at: Instant.nullable(),
  /** Until when the session is being checked; it is cancelled by then unless it is restored. */
  frozen_until: Instant.nullable(),
  /** From when it can be said that the client did not come; null once it was said what became of the session. */
  no_show_from: Instant.nullable(),
  no_show: NoShow.nullable(),
  /** When each side was in the session's room; null where neither was, or it was held elsewhere. */
  attendance: SessionAttendance.nullable(),
  /** The weekly series that it belongs to. */
  series_id: z.uuid().nullable(),
  /** When its money is taken, and until when it can be paid; null unless it belongs to a series. */
  pay_at: Instant.nullable(),
  pay_by: Instant.nullable(),
  /** Null unless it is reserved and not paid yet. */
  payment_due: PaymentDue.nullable(),
})
export type TherapistSession = z.infer<typeof TherapistSession>

export const TherapistSessionsQuery = PageQuery.extend({ when: z.enum(['upcoming', 'past']).optional() })

/** What a practitioner does to a session of theirs. It is carried out once, however often it is sent. */
const change = {
  access: ['therapist'],
  owner: 'appointment',
  params: z.object({ appointment_id: z.uuid() }),
  answer: TherapistSession,
  idempotent: true,
} as const

/** The caller's suspension or closure: its reason, the sessions it affects and the address to write to. */
export const OwnSuspension = z.object({
  /** `closed` is final. */
  state: z.enum(['suspended', 'closed']),
  since: Instant,
  /** The back office's words. */
  reason: z.string(),
  /** Late papers can be sent by the practitioner; for anything else there is nothing to upload. */
  cause: SuspensionCause.nullable().describe('Null where the profile is closed'),
  sessions: z.object({
    frozen: z.number().int(),
    cancelled: z.number().int(),
    /** When the first frozen session is cancelled; null without one. */
    next_cancelled_at: Instant.nullable(),
  }),
  write_to: z.string(),
})
export type OwnSuspension = z.infer<typeof OwnSuspension>

export const therapistSessionEndpoints = defineEndpoints({
  'GET /therapist/suspension': {
    access: ['therapist'],
    whileSuspended: true,
    summary: "The caller's suspension, or that their profile is closed, if it is so",
    answer: z.object({
      data: OwnSuspension.nullable(),
      documents_lapsed: z
        .boolean()
        .describe('Of a profile that is open: sessions stay frozen until documents are valid'),
    }),
  },
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
    ...change,
    summary: 'Cancel a session before its end; the client gets the whole price back and is told',
    body: z.object({ reason: FreeText(1000).trim().nullish(), starts_at: StartShown }),
  },
  'POST /therapist/sessions/{appointment_id}/technical-failure': {
    ...change,
    summary:
      'Say that an online session failed for technical reasons, until a day after its end; the client gets everything back',
    body: z.object({ reason: FreeText(1000).trim().nullish() }),
  },
  'POST /therapist/sessions/{appointment_id}/complete': {
    ...change,
    summary: 'Say that a session took place, once it has begun',
  },
  'POST /therapist/sessions/{appointment_id}/no-show': {
    ...change,
    summary:
      'Say that the client did not come: from 15 minutes after the start until a day after the end. The client is told and may dispute it for 14 days',
  },
  'POST /therapist/sessions/{appointment_id}/allow-late-payment': {
    ...change,
    summary: 'Keep a reserved session that is not paid yet until it starts',
  },
  'GET /therapist/schedule': {
    access: ['therapist'],
    summary: 'The weekly schedule with the sessions booked in a week, and those that lie outside it',
    query: z.object({
      /** Any day of the week wanted, in the practitioner's zone; today when absent. */
      from: z.preprocess((value) => (value === '' ? undefined : value), Day.optional()),
    }),
    answer: Schedule,
  },
})
