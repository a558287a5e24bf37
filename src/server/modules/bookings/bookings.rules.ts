import type { AppointmentState } from '#contract/bookings/bookings.ts'
import { days, hours, later, minutes } from '../../clock.ts'
import { isCorrectable, noShowFrom, type NoShowState } from './no-shows.rules.ts'

type Transition = {
  from: AppointmentState
  to: AppointmentState
  by: 'client' | 'practitioner' | 'admin' | 'system'
  /** What lets it happen, or makes it happen by itself. */
  when: string
}

/** The life of an appointment. Every change of its state goes through this table. */
export const appointmentLife: readonly Transition[] = [
  { from: 'draft', to: 'confirmed', by: 'client', when: 'paid, and the slot could be taken' },
  { from: 'draft', to: 'cancelled', by: 'client', when: 'at any time' },
  { from: 'draft', to: 'expired', by: 'system', when: 'a day old, or its slot was taken by somebody else' },
  { from: 'pending', to: 'confirmed', by: 'client', when: 'paid while the slot is held' },
  { from: 'pending', to: 'cancelled', by: 'client', when: 'at any time' },
  { from: 'pending', to: 'confirmed', by: 'practitioner', when: 'asked for help right now, and accepted' },
  { from: 'pending', to: 'cancelled', by: 'system', when: 'nobody could give help right now' },
  { from: 'pending', to: 'expired', by: 'system', when: 'the hold ran out or was given up for another' },
  { from: 'confirmed', to: 'cancelled', by: 'client', when: 'within the 48-hour rules' },
  { from: 'confirmed', to: 'cancelled', by: 'practitioner', when: 'at any time before its end' },
  { from: 'confirmed', to: 'cancelled', by: 'system', when: 'frozen, and its time to be restored is over' },
  { from: 'confirmed', to: 'cancelled', by: 'admin', when: 'at any time before its end' },
  { from: 'confirmed', to: 'completed', by: 'system', when: 'a day after its end, unless it is frozen' },
  { from: 'confirmed', to: 'completed', by: 'practitioner', when: 'after its start' },
  {
    from: 'confirmed',
    to: 'no_show',
    by: 'practitioner',
    when: 'from 15 minutes after its start until a day after its end',
  },
  {
    from: 'completed',
    to: 'no_show',
    by: 'practitioner',
    when: 'until a day after its end, as a correction',
  },
  {
    from: 'no_show',
    to: 'completed',
    by: 'practitioner',
    when: 'until a day after its end, as a correction, unless the client disputes it',
  },
  { from: 'no_show', to: 'cancelled', by: 'admin', when: 'the client disputed it, and it was overturned' },
]

/** @throws Error when the table has no such change: a defect, never somebody's fault */
export function assertTransition(from: AppointmentState, to: AppointmentState): void {
  if (!appointmentLife.some((step) => step.from === from && step.to === to)) {
    throw new Error(`An appointment cannot go from ${from} to ${to}.`)
  }
}

export const lifetimes = {
  hold: minutes(10),
  /** Once, when the bank wants to see that it is the client. */
  holdExtension: minutes(10),
  draft: days(1),
  /** The payment of a draft that is not booked is given back within the hour; it can be paid anew. */
  paidDraft: minutes(55),
  /** How long after its end a session counts as completed unless somebody says otherwise. */
  completion: days(1),
}

// Freezing --------------------------------------------------------------------------------------------------------

/** Why a session is frozen. */
export type FreezeCause = 'suspended' | 'vetting_lapsed' | 'cover_case'
/** Why the system cancelled a session; `office`: an admin decided it for this one. */
export type CancelCode = 'practitioner_suspended' | 'vetting_lapsed' | 'office'

export type FreezeStep = 'as booked' | 'frozen' | 'cancelled'

type FreezeTransition = {
  from: FreezeStep
  to: FreezeStep
  by: 'client' | 'admin' | 'system'
  when: string
}

/**
 * A frozen session is confirmed and keeps its time and its reservation, while nobody meets: its link is withheld, nobody
 * is reminded of it, and it cannot be moved.
 */
const freezeLife: readonly FreezeTransition[] = [
  {
    from: 'as booked',
    to: 'frozen',
    by: 'system',
    when: 'its practitioner is suspended, closed or no longer vetted',
  },
  { from: 'frozen', to: 'as booked', by: 'admin', when: 'the cause has ended before `frozen_until`' },
  {
    from: 'frozen',
    to: 'frozen',
    by: 'system',
    when: 'another cause comes or stays: `frozen_until` may come nearer, and is never put off',
  },
  { from: 'frozen', to: 'cancelled', by: 'client', when: 'at any time, with a full refund' },
  { from: 'frozen', to: 'cancelled', by: 'admin', when: 'at any time, with a full refund' },
  { from: 'frozen', to: 'cancelled', by: 'system', when: 'at `frozen_until`, with a full refund' },
]

/** @throws Error when the table has no such change: a defect */
export function assertFreezeStep(from: FreezeStep, to: FreezeStep): void {
  if (!freezeLife.some((step) => step.from === from && step.to === to)) {
    throw new Error(`A session cannot go from ${from} to ${to}.`)
  }
}

/** How long before facts lapse the office is told of sessions booked for later. */
export const lapseLead = days(14)

const freezing = {
  /** The longest that a client waits to hear whether a session takes place. */
  longest: hours(72),
  /** A session that begins sooner is cancelled at once: its client must hear before they set out. */
  beforeStart: hours(2),
}

/** Sessions that begin by then are cancelled at once. */
export const withinTwoHours = (now: Date): Date => later(now, freezing.beforeStart)

/** Whether a session is in progress or about to begin, so that a suspension cancels it at once. */
export const isCancelledAtOnce = (startsAt: Date, now: Date): boolean => startsAt <= withinTwoHours(now)

/** Until when a session may be restored; `now` where it is to be cancelled at once. */
export function frozenUntil(startsAt: Date, choice: 'cancel' | 'freeze', now: Date): Date {
  if (choice === 'cancel') return now
  const until = Math.min(
    later(now, freezing.longest).getTime(),
    later(startsAt, -freezing.beforeStart).getTime(),
  )
  return new Date(Math.max(until, now.getTime()))
}

/** Whether a session waits to be restored or cancelled. */
export const isFrozen = (row: { state: AppointmentState; frozen_at: Date | null }): boolean =>
  row.state === 'confirmed' && row.frozen_at !== null

/** What a session that a freeze has ended is cancelled for. */
export const cancelCodeOf = (cause: FreezeCause | null): CancelCode =>
  cause === 'vetting_lapsed' ? 'vetting_lapsed' : 'practitioner_suspended'

const window = hours(48)

/**
 * Until when a client may change or cancel: within 48 hours of first booking, or until 48 hours before the start,
 * whichever is later, and never after the start. The very last moment counts.
 */
export function changeDeadline(session: { firstBookedAt: Date; startsAt: Date }): Date {
  const afterBooking = Math.min(
    later(session.firstBookedAt, window).getTime(),
    session.startsAt.getTime() - 1,
  )
  const beforeStart = later(session.startsAt, -window).getTime()
  return new Date(Math.max(afterBooking, beforeStart))
}

/** Whether a client may still change or cancel it now. */
export function mayChange(session: { firstBookedAt: Date; startsAt: Date }, now: Date): boolean {
  return now < session.startsAt && now <= changeDeadline(session)
}

type Held = {
  state: AppointmentState
  starts_at: Date
  ends_at: Date
  frozen_at: Date | null
  /** Of the session's no-show, where it was ever declared. */
  no_show_state: NoShowState | null
}

/** Until when a practitioner may say what became of a session, or correct it; then it counts as completed. */
export const settlesAt = (session: { ends_at: Date }): Date => later(session.ends_at, lifetimes.completion)

/** Whether a practitioner may say now what became of a session, that the client came or did not; and why not. */
export function afterSession(
  session: Held,
  as: 'completed' | 'no_show',
  now: Date,
): 'allowed' | 'too_early' | 'too_late' | 'not_changeable' {
  const hasOutcome = ['confirmed', 'completed', 'no_show'].includes(session.state)
  if (!hasOutcome || session.state === as || isFrozen(session)) {
    return 'not_changeable'
  }
  if (session.state === 'no_show' && !isCorrectable(session.no_show_state)) return 'not_changeable'
  if (now < (as === 'no_show' ? noShowFrom(session) : session.starts_at)) return 'too_early'
  // That it took place is what will be said of it anyway.
  if (session.state === 'confirmed' && as === 'completed') return 'allowed'
  return now < settlesAt(session) ? 'allowed' : 'too_late'
}

/** What a practitioner may do to a session now. */
export function practiceActions(session: Held, now: Date) {
  return {
    cancel: session.state === 'confirmed' && now < session.ends_at,
    complete: afterSession(session, 'completed', now) === 'allowed',
    no_show: afterSession(session, 'no_show', now) === 'allowed',
  }
}

/** A price in pence: what the service costs, what the platform adds, and what the client pays. */
export type Price = { feePence: number; discountPence: number; duePence: number }

/** `percent` off, rounded to the nearest penny. */
export function priceOf(feePence: number, percent: number): Price {
  const discountPence = Math.floor((feePence * percent + 50) / 100)
  return { feePence, discountPence, duePence: feePence - discountPence }
}

/** What the client pays for an appointment, in pence. */
export const dueOf = (row: { fee_pence: number; discount_pence: number }) =>
  row.fee_pence - row.discount_pence

/** Pounds as sent on the wire, as pence; a fraction of a penny never equals a price. */
export function penceSent(pounds: number): number {
  const pence = pounds * 100
  const whole = Math.round(pence)
  return Math.abs(pence - whole) < 1e-6 ? whole : Number.NaN
}

/**
 * Whether the back office may give money back for a session on its own: once it has begun or is over. Before that it is
 * cancelled, which gives everything back and frees the time.
 */
export function isRefundable(
  { state, starts_at }: { state: AppointmentState; starts_at: Date | null },
  now: Date,
): boolean {
  if (state === 'confirmed') return starts_at !== null && starts_at <= now
  return state === 'completed' || state === 'no_show' || state === 'cancelled'
}

/** Money that goes back has left by then: that is promised. */
export const leavesBy = (since: Date): Date => later(since, hours(24))

/** What has been on its way back since before this is shown to the back office, while the promise can still be kept. */
export const lateSince = (now: Date): Date => later(now, -hours(20))
