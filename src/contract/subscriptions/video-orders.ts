import { z } from 'zod'
import { FreeText, Instant, InstantSent } from '../common.ts'

/**
 * - `ordered`: paid for; the back office proposes dates for the call.
 * - `dates_proposed`: the practitioner takes one, or asks for others.
 * - `dates_asked`: the practitioner asked for other dates.
 * - `date_agreed`: a date is taken; either side can still ask for another.
 * - `uploaded`: the practitioner watches the video, and approves it or asks for a change.
 * - `change_asked`: the practitioner asked for a change of the video.
 * - `approved`: the video is on the profile.
 * - `done`: the back office marked it as made, without a video for the practitioner to approve.
 */
export const videoOrderStates = [
  'ordered',
  'dates_proposed',
  'dates_asked',
  'date_agreed',
  'uploaded',
  'change_asked',
  'approved',
  'done',
] as const
export const VideoOrderState = z.enum(videoOrderStates)
export type VideoOrderState = z.infer<typeof VideoOrderState>

/** Where a video order stands, the same for the back office and the practitioner. */
export const VideoProgress = z.object({
  state: VideoOrderState,
  /** Counts steps and undone steps. The next step sends it back, so that none is taken on an outdated page. */
  version: z.number().int(),
  /** Dates that are proposed, earliest first; empty in other states. */
  dates: z.array(Instant),
  /** Every proposed date has passed: the back office proposes again, or the practitioner asks for others. */
  dates_expired: z.boolean(),
  /** The date that was taken, in `date_agreed` alone. */
  agreed_date: Instant.nullable(),
  /** The practitioner's words: which dates suit, in `dates_asked`, or what to change, in `change_asked`. */
  note: z.string().nullable(),
  /** When the video was uploaded that the practitioner can watch; null while there is none. */
  uploaded_at: Instant.nullable(),
  /** The practitioner's zone: both sides show dates in it. */
  timezone: z.string(),
})
export type VideoProgress = z.infer<typeof VideoProgress>

/** What the back office can undo, until the practitioner has approved the video. */
export const videoUndos = ['proposal', 'upload', 'done'] as const
export type VideoUndo = (typeof videoUndos)[number]

export const VideoVersion = z.object({ version: z.number().int().min(0).max(100_000) })

export const maxVideoDates = 3
export const DatesSent = VideoVersion.extend({
  dates: z
    .array(InstantSent)
    .min(1, 'Enter at least one date.')
    .max(maxVideoDates, `Enter at most ${maxVideoDates} dates.`),
})
export const DateTaken = VideoVersion.extend({ date: InstantSent })
export const NoteSent = VideoVersion.extend({
  note: FreeText(500).trim().min(1, 'Write a few words.'),
})

/** A link to a video that is not public. */
export const VideoLink = z.object({ url: z.string(), expires_at: Instant, content_type: z.string() })
