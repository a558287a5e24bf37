import { z } from 'zod'
import { SuspensionCause } from './back-office.ts'
import { FreeText, IdInPath, Instant, PageMeta, PageQuery, Pounds, PoundsSent } from '../common.ts'
import { defineEndpoints } from '../endpoint.ts'
import {
  DatesSent,
  VideoLink,
  VideoProgress,
  VideoVersion,
  videoUndos,
} from '../subscriptions/video-orders.ts'

/** What a practitioner is owed by the ledger, and what of it can be paid out now. */
export const Payable = z.object({
  practitioner_id: z.number().int(),
  full_name: z.string(),
  email: z.string().nullable(),
  owed: Pounds,
  /** For what may still be given back: sessions to come, no-shows that can be disputed or are, refunds on their way. */
  held: Pounds,
  /** Owed less what is held; never below 0. */
  payable: Pounds,
  paid_out_at: Instant.nullable(),
  /** Null unless they are suspended, or were until their profile was closed. */
  suspended_for: SuspensionCause.nullable(),
  /** During a suspension for conduct, identity or insurance nothing is to be paid out. */
  is_withheld: z.boolean(),
})
export type Payable = z.infer<typeof Payable>

/** Why a payout counts as not made: the practitioner's bank sent it back, or it was not what was transferred. */
export const payoutReversalReasons = ['returned_by_bank', 'recorded_wrongly'] as const
export type PayoutReversalReason = (typeof payoutReversalReasons)[number]

/** A transfer to a practitioner as it was recorded. */
export const RecordedPayout = z.object({
  payout_id: z.uuid(),
  practitioner_id: z.number().int(),
  full_name: z.string(),
  email: z.string().nullable(),
  amount: Pounds,
  reference: z.string(),
  paid_out_at: Instant,
  /** Null while it counts as made. */
  reversal: z.object({ reason: z.enum(payoutReversalReasons), reversed_at: Instant }).nullable(),
})
export type RecordedPayout = z.infer<typeof RecordedPayout>

/** A video that was ordered and paid for. `done_at` is set once it is approved, or marked as made. */
export const VideoOrder = VideoProgress.extend({
  practitioner_id: z.number().int(),
  full_name: z.string(),
  email: z.string().nullable(),
  price: Pounds,
  ordered_at: Instant,
  done_at: Instant.nullable(),
  /** The step that an admin can undo now; null if there is none. */
  undo: z.enum(videoUndos).nullable(),
})
export type VideoOrder = z.infer<typeof VideoOrder>

const ofPractitioner = z.object({ id: IdInPath })
const order = { access: ['admin'], params: ofPractitioner, answer: VideoOrder } as const

/** What the back office does by hand for practitioners. */
export const practitionersAdminEndpoints = defineEndpoints({
  'GET /admin/payouts': {
    access: ['admin'],
    summary: 'Practitioners to whom something is owed, or who owe something, the most payable first',
    query: PageQuery.extend({
      /** Part of a name or an email: also finds those with whom all is settled. */
      search: FreeText(100).optional(),
    }),
    answer: z.object({ data: z.array(Payable), meta: PageMeta }),
  },
  'POST /admin/payouts/{id}': {
    access: ['admin'],
    idempotent: true,
    summary: 'Write down that an amount was transferred to a practitioner',
    params: ofPractitioner,
    body: z.object({
      amount: PoundsSent,
      /** What was owed when this was decided, below zero as well: if it is something else by now, nothing happens. */
      owed_before: z.coerce.number().min(-1_000_000).max(1_000_000),
      reference: FreeText(100).trim().min(1, 'Enter what stands on the bank’s statement.'),
      /** It was transferred, although more than can be paid out: what is beyond comes off the next payouts. */
      beyond_payable: z.boolean().optional(),
      /** It was transferred, although a suspension withholds payouts. */
      despite_suspension: z.boolean().optional(),
    }),
    answer: Payable,
  },
  'GET /admin/payouts/recorded': {
    access: ['admin'],
    summary: 'Payouts that were recorded, newest first',
    query: PageQuery.extend({
      /** Part of the practitioner's name or of the bank reference. */
      search: FreeText(100).optional(),
    }),
    answer: z.object({ data: z.array(RecordedPayout), meta: PageMeta }),
  },
  'POST /admin/payouts/recorded/{payout_id}/reverse': {
    access: ['admin'],
    summary: 'Write down that a payout came back, or was recorded wrongly; repeating it changes nothing',
    params: z.object({ payout_id: z.uuid() }),
    body: z.object({ reversal_reason: z.enum(payoutReversalReasons) }),
    answer: RecordedPayout,
  },
  'GET /admin/video-orders': {
    access: ['admin'],
    summary: 'Videos that were ordered, those to be made first, oldest first',
    query: PageQuery.extend({ status: z.enum(['open', 'done']).optional() }),
    answer: z.object({ data: z.array(VideoOrder), meta: PageMeta }),
  },
  'POST /admin/video-orders/{id}/done': {
    ...order,
    summary: 'Write down that a video was made; repeating it changes nothing',
    /** Of the order as it was shown: where it has changed meanwhile, the answer is 409 `changed_elsewhere`. */
    body: VideoVersion.partial(),
    hadNoBody: true,
  },
  'POST /admin/video-orders/{id}/dates': {
    ...order,
    summary: 'Propose up to three dates for the call; repeating it changes nothing',
    body: DatesSent,
  },
  'POST /admin/video-orders/{id}/video': {
    ...order,
    summary:
      'Send the video for the practitioner to approve; `version` is a field of the form before the file',
    upload: { field: 'video', kind: 'video' },
  },
  'POST /admin/video-orders/{id}/video-link': {
    access: ['admin'],
    summary: 'A link to the video that waits for approval, good for an hour; 404 where there is none',
    params: ofPractitioner,
    answer: VideoLink,
  },
  'POST /admin/video-orders/{id}/undo': {
    ...order,
    summary: 'Take back the proposal, the upload, or that it is made: the order is as it was before',
    body: VideoVersion.extend({ undo: z.enum(videoUndos) }),
  },
})
