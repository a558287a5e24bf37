import { z } from 'zod'
import { AppointmentState, FollowedAppointment } from '../bookings/bookings.ts'
import { Day, IdInPath, Instant, Pounds } from '../common.ts'
import { defineEndpoints } from '../endpoint.ts'
import { HelpIssue, HelpPractitioner } from './help-dispatch.ts'

/** Price and length of 'Get help right now'. The server charges this price. */
export const helpFeePence = 2500
export const helpMinutes = 15

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
  issue: HelpIssue.nullable(),
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
  issue: HelpIssue.nullable(),
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

const request = {
  access: ['therapist'],
  owner: 'help_request',
  params: z.object({ id: z.uuid() }),
  answer: HelpRequest,
} as const

export const getHelpEndpoints = defineEndpoints({
  'GET /find-therapist/get-help-right-now': {
    access: ['client'],
    summary: 'Who would be asked for help right now, one or nobody; holds nobody',
    query: z.object({ issue_id: IdInPath }),
    answer: z.object({ data: z.array(HelpPractitioner).max(1) }),
  },
  'GET /appointment/get-help-right-now': {
    access: ['client'],
    summary:
      "Where the caller's search for help stands: the live one, or one that ended within the last hour",
    answer: z.object({ data: FollowedAppointment.nullable() }),
  },
  'GET /therapist/get-help/requests': {
    access: ['therapist'],
    summary: 'Requests for help right now that wait for an answer, and what today has brought',
    answer: HelpRequests,
  },
  'POST /therapist/get-help/requests/{id}/accept': {
    ...request,
    summary: 'Accept a request: the session begins now, and the money is taken',
  },
  'POST /therapist/get-help/requests/{id}/decline': {
    ...request,
    summary: 'Decline a request: the next practitioner is asked',
  },
})
