import { z } from 'zod'
import { Instant, Month, Pounds, PoundsSent, Success } from '../common.ts'
import { defineEndpoints } from '../endpoint.ts'
import { CardBeginning, NewTherapistCard } from '../payments.ts'
import { DateTaken, NoteSent, VideoLink, VideoProgress, VideoVersion } from './video-orders.ts'

/** The card that a practitioner pays the platform with: one at a time. */
export const TherapistCard = z.object({
  /** Names this saved card of the caller. */
  payment_method_id: z.string(),
  brand: z.string(),
  last4: z.string(),
  expiry_month: z.number().int(),
  expiry_year: z.number().int(),
})
export type TherapistCard = z.infer<typeof TherapistCard>

/**
 * - `waiting`: subscribed; the first month begins, and is charged, with the approval of the profile.
 * - `active`: paid, and renewed by itself.
 * - `past_due`: a payment failed; it is tried again.
 * - `cancelling`: paid to the end of the month, and not renewed.
 * - `ended`: over, in the answer to the call that ended it.
 */
export const subscriptionStatuses = ['waiting', 'active', 'past_due', 'cancelling', 'ended'] as const

export const Subscription = z.object({
  status: z.enum(subscriptionStatuses),
  /** A month. */
  price: Pounds,
  /** The end of the last month that was paid for. */
  paid_until: Instant.nullable(),
  /** Whether a month of it was paid for before, which a suspension or a lapse may have ended. */
  begun: z.boolean().optional(),
  /** When the card is charged next: the renewal, or the next try after a failed payment. */
  next_charge_at: Instant.nullable(),
  /** After a failed payment: when it lapses unless a try succeeds. */
  lapses_at: Instant.nullable(),
  /** Why an approved practitioner is not charged for now: documents or licences that have lapsed. */
  paused_for: z.enum(['documents']).nullable(),
})
export type Subscription = z.infer<typeof Subscription>

export const VideoProduction = z.object({
  status: z.enum(['not_ordered', 'ordered']),
  /** What it costs now, or cost when it was ordered. */
  price: Pounds,
  full_price: Pounds,
  /** Until when the special offer holds; null where it is over, or the video is ordered. */
  offer_ends_at: Instant.nullable(),
  ordered_at: Instant.nullable(),
  /** Where the order stands; null while nothing is ordered. */
  progress: VideoProgress.nullable(),
})
export type VideoProduction = z.infer<typeof VideoProduction>

export const Invoice = z.object({
  id: z.string(),
  number: z.string(),
  issued_at: Instant,
  description: z.string(),
  amount: Pounds,
  /** What went back to the card. */
  refunded: Pounds,
  /** `disputed`: a bank asks for it, and has not decided. `taken_back`: it decided for its client. */
  status: z.enum(['paid', 'partly_refunded', 'refunded', 'disputed', 'taken_back']),
})
export type Invoice = z.infer<typeof Invoice>

/** What clients paid for sessions, and what of it is owed. */
export const Balance = z.object({
  paid_by_clients: Pounds,
  /** Given back to clients. */
  refunded: Pounds,
  /** Returned by clients' banks after lost disputes that the practitioner bears, or of sessions that were called off. */
  returned_after_disputes: Pounds,
  /** Friends' discounts, which the platform bears: owed as if the client had paid them. */
  discounts_borne_by_us: Pounds,
  /** Transferred to the practitioner. */
  paid_out: Pounds,
  /** What is left of it all: nothing is kept of what clients pay. */
  owed: Pounds,
  /** The part of `owed` that may still go back to clients, such as for sessions ahead: it is not paid out yet. */
  held: Pounds,
  /** Whether a suspension withholds payouts. */
  payouts_withheld: z.boolean(),
  /** Months with movements, `YYYY-MM` in Europe/London, newest first: each has a statement. */
  months: z.array(z.string()),
})
export type Balance = z.infer<typeof Balance>

const therapist = { access: ['therapist'] } as const
const evenSuspended = { ...therapist, whileSuspended: true } as const

export const subscriptionEndpoints = defineEndpoints({
  'POST /therapist/payment/begin-card': {
    ...therapist,
    summary: "Begin saving a card with the payment provider's own script",
    answer: CardBeginning,
    status: 201,
  },
  'POST /therapist/payment/add-new-card': {
    ...therapist,
    summary: 'Save the card that the platform is paid with, in the place of the one before',
    body: NewTherapistCard,
    answer: TherapistCard,
    status: 201,
    idempotent: true,
  },
  'GET /therapist/payment/card': {
    ...evenSuspended,
    summary: 'The card in use; 404 `no_card` where there is none',
    answer: TherapistCard,
  },
  'POST /therapist/payment/confirm-authentication': {
    ...therapist,
    summary: 'Go on after the bank has checked that it is the practitioner',
    body: z.object({ purpose: z.enum(['subscription', 'video_production']) }),
    answer: Success,
  },
  'GET /therapist/subscription': {
    ...evenSuspended,
    summary: 'The subscription; 404 `not_subscribed` only where there is none',
    answer: Subscription,
  },
  'POST /therapist/subscription/subscribe': {
    ...therapist,
    summary: 'Subscribe, pay what is past due, or go on with a cancelled subscription',
    body: z.object({
      payment_method_id: z.uuid(),
      past_due_only: z
        .boolean()
        .optional()
        .describe(
          'Begins no new subscription; 409 `changed_elsewhere` where none is past due or paid by now',
        ),
    }),
    answer: z.literal('You have successfully subscribed'),
    idempotent: true,
  },
  'POST /therapist/subscription/cancel': {
    ...evenSuspended,
    summary: 'Renew it no more: it runs to the end of the month that is paid for',
    answer: Subscription,
  },
  'POST /therapist/subscription/resume': {
    ...therapist,
    summary: 'Renew a cancelled subscription after all',
    answer: Subscription,
  },
  'GET /therapist/video-production': {
    ...evenSuspended,
    summary: 'What a video that is produced over a call costs, and whether it is ordered',
    answer: VideoProduction,
  },
  'POST /therapist/video-production/order': {
    ...therapist,
    summary:
      'Order and pay the video with the card in use, once; 422 `price_changed` where another price was shown',
    /** The price that was shown. Pages of earlier releases send none. */
    body: z.object({ price: PoundsSent.optional() }).nullish(),
    answer: VideoProduction,
    idempotent: true,
  },
  'POST /therapist/video-production/take-date': {
    ...therapist,
    summary: 'Take one of the proposed dates for the call; repeating it changes nothing',
    body: DateTaken,
    answer: VideoProduction,
  },
  'POST /therapist/video-production/ask-dates': {
    ...therapist,
    summary: 'Ask for other dates, also after one was taken; repeating it changes nothing',
    body: NoteSent,
    answer: VideoProduction,
  },
  'POST /therapist/video-production/video-link': {
    ...therapist,
    summary: 'A link to the video that waits for approval, good for an hour; 404 where there is none',
    answer: VideoLink,
  },
  'POST /therapist/video-production/approve': {
    ...therapist,
    summary: 'Put the video on the profile; repeating it changes nothing',
    body: VideoVersion,
    answer: VideoProduction,
  },
  'POST /therapist/video-production/ask-change': {
    ...therapist,
    summary: 'Ask for a change of the video; repeating it changes nothing',
    body: NoteSent,
    answer: VideoProduction,
  },
  'GET /therapist/invoices': {
    ...evenSuspended,
    summary: 'What the platform has charged, newest first',
    answer: z.array(Invoice),
  },
  'GET /therapist/invoices/{id}/pdf': {
    ...evenSuspended,
    summary: 'One invoice as PDF',
    params: z.object({ id: z.uuid() }),
    answer: z.string(),
    file: ['application/pdf'],
  },
  'GET /therapist/balance': {
    ...evenSuspended,
    summary: 'What clients have paid and what of it is owed',
    answer: Balance,
  },
  'GET /therapist/statements/{month}': {
    ...evenSuspended,
    summary: 'Every movement of a month, as PDF or CSV',
    params: z.object({ month: Month }),
    query: z.object({ format: z.enum(['pdf', 'csv']).default('pdf') }),
    answer: z.string(),
    file: ['application/pdf', 'text/csv'],
  },
})
