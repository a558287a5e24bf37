import { type AppointmentState, type BookingType, SharedCancelCause } from '#contract/bookings/bookings.ts'
import type { AppointmentType } from '#contract/common.ts'
import { leastChargePence } from '#contract/money.ts'
import { days, hours, later, minutes } from '../../clock.ts'
import { type Step, stepsOf } from '../../life.ts'
import { isCorrectable, noShowFrom, type NoShowState } from './no-shows/no-shows.rules.ts'

/** The life of an appointment. Every change of its state goes through this table. */
export const appointmentLife: readonly Step<AppointmentState>[] = [
  { from: 'draft', to: 'confirmed', by: 'client', when: 'paid, and the slot could be taken' },
  { from: 'draft', to: 'cancelled', by: 'client', when: 'at any time' },
  { from: 'draft', to: 'expired', by: 'system', when: 'a day old, or its slot was taken by somebody else' },
  { from: 'pending', to: 'confirmed', by: 'client', when: 'paid while the slot is held' },
  { from: 'pending', to: 'cancelled', by: 'client', when: 'at any time' },
  { from: 'pending', to: 'confirmed', by: 'practitioner', when: 'asked for help right now, and accepted' },
  { from: 'pending', to: 'cancelled', by: 'system', when: 'nobody could give help right now' },
  { from: 'pending', to: 'expired', by: 'system', when: 'the hold ran out or was given up for another' },
  { from: 'reserved', to: 'confirmed', by: 'system', when: 'at `pay_at`, captured' },
  { from: 'reserved', to: 'confirmed', by: 'client', when: 'paid on the page from `pay_at` until `pay_by`' },
  { from: 'reserved', to: 'cancelled', by: 'client', when: 'until its payment is captured' },
  { from: 'reserved', to: 'cancelled', by: 'practitioner', when: 'at any time before its end' },
  { from: 'reserved', to: 'cancelled', by: 'admin', when: 'at any time before its end' },
  {
    from: 'reserved',
    to: 'cancelled',
    by: 'system',
    when: 'unpaid at `pay_by`, its series has ended, or it was frozen and its time to be restored is over',
  },
  { from: 'confirmed', to: 'cancelled', by: 'client', when: 'within the 48-hour rules' },
  { from: 'confirmed', to: 'cancelled', by: 'practitioner', when: 'at any time before its end' },
  { from: 'confirmed', to: 'cancelled', by: 'system', when: 'frozen, and its time to be restored is over' },
  {
    from: 'confirmed',
    to: 'cancelled',
    by: 'system',
    when: 'the client was alone in its room for ten minutes and says so, until a day after its end',
  },
  {
    from: 'confirmed',
    to: 'cancelled',
    by: 'practitioner',
    when: 'online, the technology failed: from its start until a day after its end',
  },
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
    when: 'until a day after its end, as a correction, unless a no-show was corrected',
  },
  {
    from: 'no_show',
    to: 'completed',
    by: 'practitioner',
    when: 'until a day after its end, as a correction, unless the client disputes it',
  },
  { from: 'no_show', to: 'cancelled', by: 'admin', when: 'the client disputed it, and it was overturned' },
]

export const assertTransition = stepsOf('An appointment', appointmentLife)

export const lifetimes = {
  hold: minutes(10),
  /** Granted once: when the client asks for it, or the bank asks the client to authenticate. */
  holdExtension: minutes(10),
  draft: days(1),
  /** The payment of an unbooked draft is voided within the hour; the client can pay again. */
  paidDraft: minutes(55),
  /** Time from the end of a session to its automatic completion, if the practitioner records no other outcome. */
  completion: days(1),
}

type Hold = {
  state: AppointmentState
  booking_type: BookingType
  starts_at: Date | null
  hold_expires_at: Date | null
  hold_extended: boolean
}

/**
 * The end of a hold if it were extended. Undefined if it was extended before, or would last past the start of the session.
 * Help right now has holds of its own length.
 */
export function extensionOf(hold: Hold): Date | undefined {
  const { state, booking_type, starts_at, hold_expires_at, hold_extended } = hold
  if (state !== 'pending' || booking_type !== 'schedule' || hold_extended) return undefined
  if (!starts_at || !hold_expires_at) return undefined
  const until = later(hold_expires_at, lifetimes.holdExtension)
  return until <= starts_at ? until : undefined
}

/** The new end of a hold that is extended now. Undefined also if it has ended. */
export function extendedHold(hold: Hold, now: Date): Date | undefined {
  return hold.hold_expires_at && hold.hold_expires_at > now ? extensionOf(hold) : undefined
}

// Freezing --------------------------------------------------------------------------------------------------------

/** Why a session is frozen. */
export type FreezeCause = 'suspended' | 'vetting_lapsed' | 'cover_case'
/** Why a session was cancelled; `office`: an admin decided it for this one. */
export type CancelCode =
  | 'practitioner_suspended'
  | 'vetting_lapsed'
  | 'office'
  | 'unpaid'
  | 'series_ended'
  | 'practitioner_absent'
  | 'technical_failure'
  | 'absence'
  | 'closed'

/** The cause that both sides may know. The others reveal something of the practitioner. */
export const sharedCauseOf = (code: CancelCode | null): SharedCancelCause | null =>
  SharedCancelCause.options.find((cause) => cause === code) ?? null

/** Whether a session is to take place: booked, and paid or not. */
export const isAhead = (state: AppointmentState): state is 'confirmed' | 'reserved' =>
  state === 'confirmed' || state === 'reserved'

/** A place as the client of a session sees it: its full address once the session has been confirmed, before that the district. */
export function shownPlace<Place>(
  { state }: { state: AppointmentState },
  place: (Place & { asPublic: Place }) | undefined,
): Place | undefined {
  const wasConfirmed = state === 'confirmed' || state === 'completed' || state === 'no_show'
  return wasConfirmed ? place : place?.asPublic
}

export type FreezeStep = 'as booked' | 'frozen' | 'cancelled'

/**
 * A frozen session stays confirmed or reserved and keeps its time and its reservation, but does not take place: its link is
 * withheld, no reminder is sent and it cannot be moved.
 */
const freezeLife: readonly Step<FreezeStep>[] = [
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

export const assertFreezeStep = stepsOf('A session', freezeLife)

/** How long before a lapse the back office gets a task about sessions booked for later. */
export const lapseLead = days(14)

const freezing = {
  /** The longest that a client waits to learn whether a session takes place. */
  longest: hours(72),
  /** A session that begins sooner is cancelled at once, so that its client learns of it before they set out. */
  beforeStart: hours(2),
}

/** Sessions that begin by this time are cancelled at once. */
export const withinTwoHours = (now: Date): Date => later(now, freezing.beforeStart)

/** Whether a session is in progress or about to begin, so that a suspension cancels it at once. */
export const isCancelledAtOnce = (startsAt: Date, now: Date): boolean => startsAt <= withinTwoHours(now)

/** Deadline for restoring a session; `now` if it is to be cancelled at once. */
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
  isAhead(row.state) && row.frozen_at !== null

/** The cancel code of a session whose freeze ran out. */
export const cancelCodeOf = (cause: FreezeCause | null): CancelCode =>
  cause === 'vetting_lapsed' ? 'vetting_lapsed' : 'practitioner_suspended'

const window = hours(48)

/**
 * Deadline for a client to change or cancel: 48 hours after first booking or 48 hours before the start, the later of
 * the two, and always before the start. The deadline itself is still in time.
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
  /** State of the session's no-show, if one was ever declared. */
  no_show_state: NoShowState | null
}

/** Deadline for a practitioner to record or correct an outcome. After it, the session counts as completed. */
export const outcomeDeadline = (session: { ends_at: Date }): Date =>
  later(session.ends_at, lifetimes.completion)

/** Whether a practitioner may record this outcome now, and if not, why. */
export function afterSession(
  session: Held,
  as: 'completed' | 'no_show',
  now: Date,
): 'allowed' | 'too_early' | 'too_late' | 'not_changeable' {
  const hasOutcome = ['confirmed', 'completed', 'no_show'].includes(session.state)
  if (!hasOutcome || session.state === as || isFrozen(session)) {
    return 'not_changeable'
  }
  if (as === 'no_show' || session.state === 'no_show') {
    if (!isCorrectable(session.no_show_state)) return 'not_changeable'
  }
  if (now < (as === 'no_show' ? noShowFrom(session) : session.starts_at)) return 'too_early'
  // The session would be completed automatically anyway.
  if (session.state === 'confirmed' && as === 'completed') return 'allowed'
  return now < outcomeDeadline(session) ? 'allowed' : 'too_late'
}

/** Whether a practitioner may say now that an online session failed for technical reasons. */
export function hasFailed(
  session: Held & { appointment_type: AppointmentType | null },
  now: Date,
): 'allowed' | 'too_early' | 'too_late' | 'not_changeable' {
  if (session.state !== 'confirmed' || session.appointment_type !== 'online' || isFrozen(session)) {
    return 'not_changeable'
  }
  if (now < session.starts_at) return 'too_early'
  return now < outcomeDeadline(session) ? 'allowed' : 'too_late'
}

/** What a practitioner may do to a session now. */
export function practitionerActions(session: Held & { appointment_type: AppointmentType | null }, now: Date) {
  return {
    cancel: isAhead(session.state) && now < session.ends_at,
    complete: afterSession(session, 'completed', now) === 'allowed',
    no_show: afterSession(session, 'no_show', now) === 'allowed',
    technical_failure: hasFailed(session, now) === 'allowed',
  }
}

/** A price in pence: the service's fee, the discount that the platform pays, and the amount due from the client. */
export type Price = { feePence: number; discountPence: number; duePence: number }

/** `percent` off, rounded to the nearest penny. */
export function priceOf(feePence: number, percent: number): Price {
  const discountPence = Math.floor((feePence * percent + 50) / 100)
  return { feePence, discountPence, duePence: feePence - discountPence }
}

/**
 * The price of a booked session at another fee. A discount that it has shrinks with the fee, and grows with it if it `mayGrow`:
 * unless the card that pays has had one. The price stays as it is where it would grow by less than a card can be charged.
 */
export function changedPrice(
  before: Price,
  feePence: number,
  { percent, mayGrow }: { percent: number; mayGrow: boolean },
): Price {
  const at = (fee: number) => (before.discountPence > 0 ? priceOf(fee, percent).discountPence : 0)
  const growth = mayGrow ? Math.max(0, at(feePence) - at(before.feePence)) : 0
  const discountPence = Math.min(at(feePence), before.discountPence + growth)
  const duePence = feePence - discountPence
  const extraPence = duePence - before.duePence
  return extraPence > 0 && extraPence < leastChargePence ? before : { feePence, discountPence, duePence }
}

/** Amount due from the client for an appointment, in pence. */
export const dueOf = (row: { fee_pence: number; discount_pence: number }) =>
  row.fee_pence - row.discount_pence

/** Pounds as sent on the wire, as pence; a fraction of a penny never equals a price. */
export function penceSent(pounds: number): number {
  const pence = pounds * 100
  const whole = Math.round(pence)
  return Math.abs(pence - whole) < 1e-6 ? whole : Number.NaN
}

/**
 * Whether an admin may refund a session without cancelling it. A confirmed session must have begun. Before its start
 * it is cancelled instead, which refunds everything and frees the time.
 */
export function isRefundable(
  { state, starts_at }: { state: AppointmentState; starts_at: Date | null },
  now: Date,
): boolean {
  if (state === 'confirmed') return starts_at !== null && starts_at <= now
  return state === 'completed' || state === 'no_show' || state === 'cancelled'
}

/** The promised deadline for a void or refund to succeed. */
export const leavesBy = (since: Date): Date => later(since, hours(24))

/**
 * Voids and refunds begun before this time are shown to the back office as late, while the promise can still be kept.
 */
export const lateSince = (now: Date): Date => later(now, -hours(20))

/** The place that a client wants: none online, where older clients send the one they had chosen before. */
export function placeWanted(type: AppointmentType, locationId: number | null | undefined): number | null {
  return type === 'online' ? null : (locationId ?? null)
}

type Dispute = 'open' | 'won' | 'lost'

/** The dispute that a client reads of. An inquiry is none: what is due to them comes from the platform, as ever. */
export const disputeShown = (dispute: Dispute | 'inquiry' | undefined): Dispute | undefined =>
  dispute === 'inquiry' ? undefined : dispute

/**
 * How much of a fee went back to the client, by what is owed of it: a refund for a change, or of a second payment, leaves
 * the fee owed, and one that failed is not with the client.
 */
export function feeGivenBack(
  session: { fee_pence: number; owed_pence: number },
  refund: { amountPence: number; failedPence: number } | undefined,
): 'part' | 'all' | null {
  if (!refund || refund.amountPence === refund.failedPence) return null
  if (session.owed_pence >= session.fee_pence) return null
  return session.owed_pence > 0 ? 'part' : 'all'
}
