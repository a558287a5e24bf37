import { z } from 'zod'
import { Appointment, AppointmentDetail, AppointmentState, CreateSession } from './bookings.ts'
import { Day, Id, Instant, Pounds } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { PractitionerCard } from './practitioners.ts'

/** What 'Get help right now' costs and how long it lasts. The server takes this price, whatever is sent. */
export const helpFeePence = 2500
export const helpMinutes = 15

/** A practitioner whom the search found, who is held, asked, or has accepted. */
export const HelpPractitioner = PractitionerCard.omit({ next_available: true })
export type HelpPractitioner = z.infer<typeof HelpPractitioner>

const Issue = z.object({ issue_id: Id, issue_name: z.string() })

/**
 * - `claimed`: somebody is held for the client, who has until `pay_by` to pay.
 * - `asking`: paid; the practitioner has until `answer_by` to accept, then the next one is asked.
 * - `accepted`: the session is confirmed for now.
 * - `nobody`: none is left to ask; the money goes back by itself.
 * - `stopped`: by the client, at no cost.
 * - `expired`: not paid in time; nothing was charged.
 */
export const helpStates = ['claimed', 'asking', 'accepted', 'nobody', 'stopped', 'expired'] as const
export const HelpState = z.enum(helpStates)
export type HelpState = z.infer<typeof HelpState>

/** What became of the money: reserved on the card until somebody accepts, then taken, or given back. */
export const helpMoneyStates = ['not_paid', 'reserved', 'taken', 'returning', 'returned'] as const
export const HelpMoneyState = z.enum(helpMoneyStates)
export type HelpMoneyState = z.infer<typeof HelpMoneyState>

/** How far the search for somebody has come. */
export const HelpDispatch = z.object({
  /** The appointment's id. */
  dispatch_id: z.uuid(),
  state: HelpState,
  issue: Issue.nullable(),
  /** Who is held, asked or has accepted; null once it has ended without anybody. */
  practitioner: HelpPractitioner.nullable(),
  /** How many have been asked so far, this one among them. */
  asked: z.number().int(),
  pay_by: Instant.nullable(),
  answer_by: Instant.nullable(),
  /** Nobody new is asked after this. */
  ask_until: Instant.nullable(),
  /** The server's clock, for countdowns: the browser's may be wrong. */
  now: Instant,
  /** Whether it can still be stopped at no cost, by `cancel-session`. */
  can_stop: z.boolean(),
  /** The chat with the practitioner, once accepted. */
  dialog_id: z.string().nullable(),
  money: z.object({
    state: HelpMoneyState,
    amount: Pounds,
    /** By when it is back with the card's bank, where it goes back: 24 hours after the search has ended. */
    promised_by: Instant.nullable(),
  }),
  ended_at: Instant.nullable(),
})
export type HelpDispatch = z.infer<typeof HelpDispatch>

/** The appointment as it was started; of 'Get help right now' with whom, and how far it has come. */
export const CreatedSession = Appointment.extend({
  practitioner: HelpPractitioner.nullable(),
  dispatch: HelpDispatch.nullable(),
})
export type CreatedSession = z.infer<typeof CreatedSession>

export const FollowedAppointment = AppointmentDetail.extend({ dispatch: HelpDispatch.nullable() })
export type FollowedAppointment = z.infer<typeof FollowedAppointment>

/** `open`: to be answered by `answer_by`. `lapsed`: it was not. `withdrawn`: the client stopped, or it could not go on. */
export const helpRequestStates = ['open', 'accepted', 'declined', 'lapsed', 'withdrawn'] as const
export const HelpRequestState = z.enum(helpRequestStates)
export type HelpRequestState = z.infer<typeof HelpRequestState>

/** A request as the practitioner who is asked sees it. */
export const HelpRequest = z.object({
  request_id: z.uuid(),
  dispatch_id: z.uuid(),
  state: HelpRequestState,
  /** The first name alone. */
  client_name: z.string(),
  issue: Issue.nullable(),
  /** All of it is the practitioner's. */
  fee: Pounds,
  /** Minutes. */
  duration: z.number().int(),
  asked_at: Instant,
  answer_by: Instant,
  settled_at: Instant.nullable(),
  /** The chat with the client, once accepted. */
  dialog_id: z.string().nullable(),
  /** The server's clock, for the countdown. */
  now: Instant,
})
export type HelpRequest = z.infer<typeof HelpRequest>

/** A session of help right now that has taken place, or does now. */
export const InstantSession = z.object({
  appointment_id: z.uuid(),
  client_name: z.string(),
  issue: Issue.nullable(),
  status: AppointmentState,
  starts_at: Instant,
  ends_at: Instant,
  fee: Pounds,
  /** What the practitioner is owed for it: the fee less refunds. */
  owed: Pounds,
  dialog_id: z.string().nullable(),
})
export type InstantSession = z.infer<typeof InstantSession>

export const HelpRequests = z.object({
  /** Waiting for an answer, the most urgent first. */
  open: z.array(HelpRequest),
  /** Today in the practitioner's own zone. */
  today: z.object({
    day: Day,
    sessions: z.array(InstantSession),
    /** Of the sessions that were not cancelled, less refunds. */
    earned: Pounds,
    /** Requests of today that were let go by without an answer. */
    missed: z.number().int(),
  }),
  now: Instant,
})
export type HelpRequests = z.infer<typeof HelpRequests>

const requestInPath = z.object({ id: z.uuid() })

export const getHelpEndpoints = defineEndpoints({
  'GET /find-therapist/get-help-right-now': {
    access: ['client'],
    summary: 'Who would be asked for help right now, one or nobody; holds nobody',
    query: z.object({ issue_id: z.coerce.number().int().min(1).max(2_147_483_647) }),
    answer: z.object({ data: z.array(HelpPractitioner).max(1) }),
  },
  'POST /appointment/create-session': {
    access: ['client'],
    summary: 'Start a booking, the slot held for 10 minutes; or get help right now, somebody held for 5',
    body: CreateSession,
    answer: CreatedSession,
    status: 201,
    idempotent: true,
  },
  'GET /appointment/get-help-right-now': {
    access: ['client'],
    summary:
      "Where the caller's search for help stands: the live one, or one that ended within the last hour",
    answer: z.object({ data: FollowedAppointment.nullable() }),
  },
  'GET /appointment/{appointment_id}': {
    access: ['client'],
    owner: 'appointment',
    summary: 'One session of the caller; of help right now with how far the search has come',
    params: z.object({ appointment_id: z.uuid() }),
    answer: FollowedAppointment,
  },
  'GET /therapist/get-help/requests': {
    access: ['therapist'],
    summary: 'Requests for help right now that wait for an answer, and what today has brought',
    answer: HelpRequests,
  },
  'POST /therapist/get-help/requests/{id}/accept': {
    access: ['therapist'],
    owner: 'help_request',
    summary: 'Accept a request: the session begins now, and the money is taken',
    params: requestInPath,
    answer: HelpRequest,
  },
  'POST /therapist/get-help/requests/{id}/decline': {
    access: ['therapist'],
    owner: 'help_request',
    summary: 'Decline a request: the next practitioner is asked',
    params: requestInPath,
    answer: HelpRequest,
  },
})
