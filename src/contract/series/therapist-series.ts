import { z } from 'zod'
import { TimeOffSent } from '../availability/schedule.ts'
import { Day, FreeText, IdInPath, Instant, InstantSent, Pounds, PoundsSent } from '../common.ts'
import { defineEndpoints } from '../endpoint.ts'
import { Series, seriesChange, seriesDateParams, SeriesPreview, SeriesWanted } from './series.ts'

/** To the client of a session of the caller's. The hour may lie outside the schedule, never in time off. */
export const SeriesProposed = SeriesWanted.omit({ practitioner_id: true }).extend({
  /** A session that the caller and the client have, or had. It gives what is left out. */
  appointment_id: z.uuid(),
})
export type SeriesProposed = z.infer<typeof SeriesProposed>

/** What would be proposed, and to whom. */
export const SeriesProposalPreview = SeriesPreview.extend({
  /** `Alex M.` */
  client_name: z.string().optional(),
})
export type SeriesProposalPreview = z.infer<typeof SeriesProposalPreview>

/** A session of a series that lies in time off. */
export const SessionInTimeOff = z.object({
  appointment_id: z.uuid(),
  series_id: z.uuid(),
  on_date: Day,
  starts_at: Instant,
  ends_at: Instant,
  /** First name and initial. */
  client_name: z.string(),
  service_name: z.string(),
  /** Paid: skipping it gives the client the whole price back. */
  paid: z.boolean(),
  fee: Pounds,
  /** What the client pays, any discount taken off. */
  price: Pounds.optional(),
})
export type SessionInTimeOff = z.infer<typeof SessionInTimeOff>

const change = { access: ['therapist'], ...seriesChange } as const

export const therapistSeriesEndpoints = defineEndpoints({
  'GET /therapist/series': {
    access: ['therapist'],
    summary: "The caller's series, live ones first; of those that ended, the last 90 days'",
    answer: z.object({ data: z.array(Series) }),
  },
  'POST /therapist/series/preview': {
    access: ['therapist'],
    owner: 'appointment',
    summary: 'The first ten dates of a series for a client of the caller; makes nothing',
    body: SeriesProposed,
    answer: SeriesProposalPreview,
  },
  'POST /therapist/series': {
    access: ['therapist'],
    owner: 'appointment',
    summary: 'Propose a series to a client; its first date is kept until they answer',
    body: SeriesProposed,
    answer: seriesChange.answer,
    status: 201,
    idempotent: true,
  },
  'POST /therapist/series/{series_id}/accept': {
    ...change,
    summary: 'Accept a series that a client has asked for; the client then agrees with a card',
  },
  'POST /therapist/series/{series_id}/decline': {
    ...change,
    summary: 'Decline a series that a client has asked for, or withdraw a proposal',
    body: z.object({ reason: FreeText(1000).trim().nullish() }),
  },
  'POST /therapist/series/{series_id}/end': {
    ...change,
    summary: 'End a series with its next session, or at once with a reason that the client reads',
    body: z.object({
      at_once: z.boolean().default(false),
      reason: FreeText(1000).trim().nullish(),
      /** The last session as it was shown: where the series would not end with it, the answer is 409 `changed_elsewhere`. */
      last_session_at: InstantSent.optional(),
    }),
  },
  'POST /therapist/series/{series_id}/new-price': {
    ...change,
    summary: 'Announce a new price, at least 28 days ahead; the client accepts it or the series ends there',
    body: z.object({ fee: PoundsSent, from: Day }),
  },
  'POST /therapist/series/{series_id}/dates/{on_date}/keep': {
    ...change,
    summary:
      "Reserve a date in conflict that only a busy time in the caller's other calendar is in the way of",
    params: seriesDateParams,
  },
  'POST /therapist/series/in-time-off': {
    access: ['therapist'],
    summary: 'The sessions of series that lie in days or hours that the caller wants off; changes nothing',
    body: TimeOffSent,
    answer: z.object({ data: z.array(SessionInTimeOff) }),
  },
  'POST /therapist/time-off/{id}/skip-series': {
    access: ['therapist'],
    summary:
      'Skip the sessions of series that lie in time off: their clients are told, and paid ones refunded in full',
    params: z.object({ id: IdInPath }),
    body: z.object({
      /** The sessions as they were shown: others, and those that begin at another time by now, are left. */
      only: z
        .array(z.object({ appointment_id: z.uuid(), starts_at: InstantSent }))
        .max(1000, 'At most 1,000 sessions.')
        .optional(),
    }),
    hadNoBody: true,
    answer: z.object({
      /** Those that are skipped. */
      data: z.array(SessionInTimeOff),
      /** Those that are left, as they are by now; absent where a server of the release before did not say. */
      left: z.array(SessionInTimeOff).optional(),
    }),
  },
})
