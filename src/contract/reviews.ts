import { z } from 'zod'
import { AppointmentDetail } from './bookings/bookings.ts'
import { FreeText, Id, IdInPath, Instant, InstantSent, PageMeta, PageQuery, Success } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { NobodyCame } from './rooms/nobody-came.ts'

const words = (most: number, empty: string) => FreeText(most).trim().min(1, empty)

export const WriteReview = z.object({
  rating: z
    .number('Choose how many stars.')
    .int()
    .min(1, 'Choose 1 to 5 stars.')
    .max(5, 'Choose 1 to 5 stars.'),
  comment: words(4000, 'Write a few words.'),
})

export const WriteReply = z.object({
  reply: words(2000, 'Write a reply.'),
  /** When the review was changed last, as it was read: where it has been changed since, the answer is 409 `changed_elsewhere`. */
  shown: z.object({ edited_at: InstantSent.nullable() }).optional(),
})

export const WriteReport = z.object({ reason: words(1000, 'Say what is wrong with it.') })

/** A review as its author sees it. */
export const OwnReview = z.object({
  review_id: Id,
  appointment_id: z.uuid(),
  /** How the author is named in public: the initial of the first name. */
  reviewer: z.string(),
  rating: z.number().int(),
  comment: z.string(),
  /** The start of the day on which it was written, in UTC. */
  date: Instant,
  edited_at: Instant.nullable(),
  reply: z.object({ reply: z.string(), date: Instant }).nullable(),
  /** The back office's reason for hiding the review; null while it is shown. */
  hidden_reason: z.string().nullable(),
})
export type OwnReview = z.infer<typeof OwnReview>

/** A session of a client with what they have said about it: one that is over, or any on its own page. */
export const PastSession = AppointmentDetail.extend({
  review: OwnReview.nullable(),
  /** Whether it can be reviewed now: it took place, and has not been. */
  reviewable: z.boolean(),
  /** What the practitioner wrote on cancelling it. */
  practitioners_reason: z.string().nullable(),
  /**
   * The practitioner has not come to the room so far, and the client may report it. Null once they came, and where the
   * session is held elsewhere, is being checked, or has an outcome.
   */
  nobody_came: NobodyCame.nullable(),
})
export type PastSession = z.infer<typeof PastSession>

/** A review as the practitioner sees it. */
export const ReceivedReview = z.object({
  review_id: Id,
  reviewer: z.string(),
  rating: z.number().int(),
  /** Empty once its author has deleted their account. */
  comment: z.string(),
  /** The start of the day on which it was written, in UTC. */
  date: Instant,
  edited_at: Instant.nullable(),
  reply: z
    .object({
      reply: z.string(),
      date: Instant,
      edited_at: Instant.nullable(),
      hidden_reason: z.string().nullable(),
    })
    .nullable(),
  /** Changed by its author after the reply. */
  edited_since_reply: z.boolean(),
  /** The caller has reported it, and the report is still open. */
  reported: z.boolean(),
  hidden_reason: z.string().nullable(),
})
export type ReceivedReview = z.infer<typeof ReceivedReview>

export const reportStates = ['open', 'hidden', 'dismissed'] as const
export const ReportState = z.enum(reportStates)
export type ReportState = z.infer<typeof ReportState>

const Reporter = z.object({
  name: z.string(),
  email: z.string(),
  /** `practitioner`: the one whom the review is about. `deleted account`: name and email are empty. */
  is: z.enum(['client', 'practitioner', 'another practitioner', 'deleted account']),
})

/** A report as the back office sees it, with what it is about as it now stands. */
export const Report = z.object({
  report_id: Id,
  /** Of what was reported: a decision is about all open reports of the same thing. */
  about: z.enum(['review', 'reply']),
  status: ReportState,
  /** Empty once the reporter's account is deleted. */
  reason: z.string(),
  created_at: Instant,
  decided_at: Instant.nullable(),
  /** The admin who decided; null for an open report and if no audit entry names them. */
  decided_by: z.string().nullable(),
  /** Why it is hidden; null for an open report and for one that was dismissed. */
  decision_reason: z.string().nullable(),
  reporter: Reporter,
  /** Open reports of the same thing, this one among them. */
  open_reports: z.number().int(),
  /** The other reports of the same thing that are open with this one or were decided with it, oldest first. */
  others: z.array(z.object({ report_id: Id, reason: z.string(), created_at: Instant, reporter: Reporter })),
  practitioner: z.object({ practitioner_id: Id, full_name: z.string() }),
  review: z.object({
    review_id: Id,
    reviewer: z.string(),
    rating: z.number().int(),
    comment: z.string(),
    date: Instant,
    edited_at: Instant.nullable(),
    hidden: z.boolean(),
    reply: z.string().nullable(),
    reply_edited_at: Instant.nullable(),
    reply_hidden: z.boolean(),
  }),
})
export type Report = z.infer<typeof Report>

const own = {
  access: ['client'],
  owner: 'appointment',
  params: z.object({ appointment_id: z.uuid() }),
} as const
const ofReview = z.object({ id: IdInPath })
const reply = { access: ['therapist'], owner: 'review', params: ofReview, answer: ReceivedReview } as const
const report = {
  access: ['client', 'therapist'],
  params: ofReview,
  body: WriteReport,
  answer: Success,
} as const

export const reviewEndpoints = defineEndpoints({
  'GET /appointment/get-past-sessions': {
    access: ['client'],
    summary: "The caller's sessions that are over, newest first, with what they have said about them",
    query: PageQuery,
    answer: z.object({ data: z.array(PastSession), meta: PageMeta }),
  },
  'POST /appointment/{appointment_id}/review': {
    ...own,
    summary: 'Review a session that has taken place, once',
    body: WriteReview,
    answer: OwnReview,
    status: 201,
    idempotent: true,
  },
  'PUT /appointment/{appointment_id}/review': {
    ...own,
    summary: 'Change a review',
    body: WriteReview,
    answer: OwnReview,
  },
  'DELETE /appointment/{appointment_id}/review': {
    ...own,
    summary: 'Withdraw a review, with its reply; the session can be reviewed again',
    answer: Success,
  },
  'GET /client/reviews': {
    access: ['client'],
    summary: "The caller's own reviews of one practitioner, newest first",
    query: z.object({ practitioner_id: IdInPath }),
    answer: z.array(z.object({ review_id: Id, appointment_id: z.uuid() })),
  },
  'GET /therapist/reviews': {
    access: ['therapist'],
    summary: "The reviews of the caller's own profile: those changed since the reply, then newest first",
    query: PageQuery.extend({ unreplied: z.enum(['true', 'false']).optional() }),
    answer: z.object({
      data: z.array(ReceivedReview),
      meta: PageMeta.extend({
        rating: z.number().describe('Average of those that are shown; 0 without any'),
        shown: z.number().int().describe('How many are shown, and counted'),
        unreplied: z.number().int(),
      }),
    }),
  },
  'PUT /therapist/reviews/{id}/reply': {
    ...reply,
    summary: 'Answer a review, or change the answer',
    body: WriteReply,
  },
  'DELETE /therapist/reviews/{id}/reply': {
    ...reply,
    summary: 'Take an answer back',
  },
  'POST /reviews/{id}/report': {
    ...report,
    summary: 'Report a review that is shown and is not one’s own; it is looked at by the back office',
  },
  'POST /reviews/{id}/reply/report': {
    ...report,
    summary: 'Report the answer to a review, for everyone but its writer',
  },
})
