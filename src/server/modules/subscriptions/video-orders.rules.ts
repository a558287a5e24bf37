import { maxVideoDates, type VideoOrderState, type VideoUndo } from '#contract/subscriptions/video-orders.ts'
import { days, hours, later } from '../../clock.ts'

type Move = {
  by: 'admin' | 'practitioner'
  from: readonly VideoOrderState[]
  to: VideoOrderState
}

/** The life of a video order: each step with its actor, the states it starts from and the state it leads to. */
export const videoSteps = {
  propose: {
    by: 'admin',
    // From `dates_proposed` once every date has passed: see `canPropose`.
    from: ['ordered', 'dates_proposed', 'dates_asked', 'date_agreed', 'change_asked'],
    to: 'dates_proposed',
  },
  take_date: { by: 'practitioner', from: ['dates_proposed'], to: 'date_agreed' },
  ask_dates: { by: 'practitioner', from: ['dates_proposed', 'date_agreed'], to: 'dates_asked' },
  // From `ordered` too, because the call may have been arranged by mail.
  upload: { by: 'admin', from: ['ordered', 'date_agreed', 'change_asked'], to: 'uploaded' },
  ask_change: { by: 'practitioner', from: ['uploaded'], to: 'change_asked' },
  approve: { by: 'practitioner', from: ['uploaded'], to: 'approved' },
  finish: {
    by: 'admin',
    from: ['ordered', 'dates_proposed', 'dates_asked', 'date_agreed', 'uploaded', 'change_asked'],
    to: 'done',
  },
} as const satisfies Record<string, Move>

/** Steps with a row of their own. `finish` only sets `done_at`, as in earlier releases. */
export type VideoStepKind = Exclude<keyof typeof videoSteps, 'finish'>

/** The step that the back office can undo in a state: the last one, if it was its own. */
export const videoUndoIn: Partial<Record<VideoOrderState, VideoUndo>> = {
  dates_proposed: 'proposal',
  uploaded: 'upload',
  done: 'done',
}

export type VideoStep = {
  number: number
  kind: VideoStepKind
  at: Date
  dates: Date[]
  date: Date | null
  note: string | null
  file_id: string | null
  undone_at: Date | null
}

/** An order with its steps, oldest first. */
export type VideoCourse = { done_at: Date | null; steps: readonly VideoStep[] }

/** The last step that is not undone, optionally of one kind. */
export function lastStep({ steps }: VideoCourse, kind?: VideoStepKind): VideoStep | undefined {
  return steps.findLast((step) => step.undone_at === null && (!kind || step.kind === kind))
}

export function stateOf(course: VideoCourse): VideoOrderState {
  const last = lastStep(course)
  if (course.done_at && last?.kind !== 'approve') return 'done'
  return last ? videoSteps[last.kind].to : 'ordered'
}

/** Counts steps and undone steps, so that each change raises the version. */
export function versionOf({ steps }: VideoCourse): number {
  return steps.length + steps.filter(({ undone_at }) => undone_at !== null).length
}

export function canStep(state: VideoOrderState, step: keyof typeof videoSteps): boolean {
  return (videoSteps[step].from as readonly VideoOrderState[]).includes(state)
}

/** Whether every proposed date has passed. */
export function isProposalExpired(step: Pick<VideoStep, 'dates'>, now: Date): boolean {
  return step.dates.every((date) => date <= now)
}

/** Whether the back office may propose dates. It must undo an open proposal first. */
export function canPropose(course: VideoCourse, now: Date): boolean {
  const state = stateOf(course)
  if (!canStep(state, 'propose')) return false
  const last = lastStep(course)
  return state !== 'dates_proposed' || last === undefined || isProposalExpired(last, now)
}

/** The upload that the practitioner can watch: until the approval, and while a change of it is asked for. */
export function waitingUpload(course: VideoCourse): VideoStep | undefined {
  const state = stateOf(course)
  return state === 'uploaded' || state === 'change_asked' ? lastStep(course, 'upload') : undefined
}

/** The range in which dates may be proposed, from now. */
export const datesFrom = hours(24)
export const datesUntil = days(90)

/** The error of proposed dates; undefined if they are valid. */
export function problemOfDates(dates: readonly Date[], now: Date): string | undefined {
  if (dates.length === 0) return 'Enter at least one date.'
  if (dates.length > maxVideoDates) return `Enter at most ${maxVideoDates} dates.`
  if (new Set(dates.map(Number)).size !== dates.length) return 'Enter different dates.'
  if (dates.some((date) => date < later(now, datesFrom))) {
    return 'Enter dates that are at least 24 hours from now.'
  }
  if (dates.some((date) => date > later(now, datesUntil))) {
    return 'Enter dates within the next 90 days.'
  }
  return undefined
}

/** Whether the last step has the same content, so that repeating it changes nothing. */
export function isRepeated(
  course: VideoCourse,
  kind: Exclude<VideoStepKind, 'upload'>,
  content: { dates?: readonly Date[]; date?: Date; note?: string } = {},
): boolean {
  const last = lastStep(course)
  if (last?.kind !== kind || stateOf(course) !== videoSteps[kind].to) return false
  const sorted = (dates: readonly Date[]) => dates.map(Number).toSorted((a, b) => a - b)
  return (
    sorted(last.dates).join() === sorted(content.dates ?? []).join() &&
    last.date?.getTime() === content.date?.getTime() &&
    last.note === (content.note ?? null)
  )
}

/** Mails about a video order to the back office. */
const adminMailKinds = [
  'video_dates_asked',
  'video_date_agreed_office',
  'video_change_asked',
  'video_approved_office',
] as const
export type AdminMailKind = (typeof adminMailKinds)[number]
export type VideoMailKind =
  | AdminMailKind
  | 'video_dates'
  | 'video_date_agreed'
  | 'video_ready'
  | 'video_approved'
  | 'video_taken_back'

export const isToAdmin = (kind: VideoMailKind): kind is AdminMailKind =>
  adminMailKinds.some((each) => each === kind)
