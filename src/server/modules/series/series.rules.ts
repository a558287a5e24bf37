import {
  type ConflictCause,
  type EveryWeeks,
  newPriceDays,
  proposalDays,
  reservedDays,
  type SeriesState,
} from '#contract/series/series.ts'
import { dayNumber, days, dayText, hours, later, timeText, weekdayOf } from '../../clock.ts'

/** The start of a rhythm as `10:00`, for mappers. */
export { timeText as startText }

export type Side = 'client' | 'practitioner' | 'system'
export type DateState = 'planned' | 'skipped' | 'moved' | 'conflict' | 'released'

type Transition = { from: SeriesState | null; to: SeriesState; by: Side; when: string }

/** The life of a series. Every change of its state goes through this table. */
export const seriesLife: readonly Transition[] = [
  {
    from: null,
    to: 'proposed',
    by: 'client',
    when: 'from a session, or of a practitioner who offers the hour',
  },
  { from: null, to: 'proposed', by: 'practitioner', when: 'to the client of a session' },
  { from: null, to: 'active', by: 'client', when: 'the rhythm of another one was changed' },
  { from: 'proposed', to: 'active', by: 'client', when: 'agreed with a card, before `proposed_until`' },
  { from: 'proposed', to: 'ended', by: 'client', when: 'declined' },
  { from: 'proposed', to: 'ended', by: 'practitioner', when: 'declined or withdrawn' },
  { from: 'proposed', to: 'ended', by: 'system', when: 'not answered by `proposed_until`' },
  {
    from: 'active',
    to: 'paused',
    by: 'system',
    when: 'two dates running were not paid, or a suspension or a lapse',
  },
  { from: 'paused', to: 'paused', by: 'system', when: 'a suspension, while it waits for a payment' },
  {
    from: 'paused',
    to: 'active',
    by: 'client',
    when: 'the next date was paid, or confirmed after a reinstatement',
  },
  { from: 'paused', to: 'ended', by: 'system', when: 'at `paused_until`' },
  { from: 'active', to: 'ended', by: 'client', when: 'at any time' },
  { from: 'paused', to: 'ended', by: 'client', when: 'at any time' },
  { from: 'active', to: 'ended', by: 'practitioner', when: 'at once with a reason, or after `last_on`' },
  { from: 'paused', to: 'ended', by: 'practitioner', when: 'at once with a reason' },
  {
    from: 'active',
    to: 'ended',
    by: 'system',
    when: 'after `last_on`, closed, unlisted, or an account was deleted',
  },
]

/** @throws Error for a transition that the table lacks: a defect, never the caller's fault */
export function assertTransition(from: SeriesState, to: SeriesState, by: Side): void {
  if (!seriesLife.some((step) => step.from === from && step.to === to && step.by === by)) {
    throw new Error(`A series cannot go from ${from} to ${to} by the ${by}.`)
  }
}

export const deadlines = {
  /** To answer a proposal. */
  proposal: days(proposalDays),
  paused: { unpaid: days(14), suspension: days(28) },
  /** Kept without a session ahead while the practitioner is not listed: as long as a failed renewal is tried again. */
  unlisted: days(8),
  /** A new price is answered this long before its first session: before its reminder is due. */
  priceAnswer: hours(72),
}

/**
 * Until when a series is kept while it is paused. A next session that can be paid for later than that, until `payBy`, is
 * waited for: with four weeks between two dates, its payment is not due before.
 */
export function pausedUntil(cause: 'unpaid' | 'suspension', now: Date, payBy?: Date | null): Date {
  const until = later(now, deadlines.paused[cause])
  return cause === 'unpaid' && payBy && payBy > until ? payBy : until
}

/**
 * Until when a series that is paused waits by now: longer than `until` where its next session can be paid later than it could
 * at the pause, because its practitioner keeps it or its client has moved it, and while that one is being checked.
 */
export function keptUntil(
  { paused_cause: cause, paused_until: until }: { paused_cause: string | null; paused_until: Date },
  next:
    | { starts_at: Date; pay_at: Date | null; pay_by: Date | null; isMoved: boolean; isFrozen: boolean }
    | undefined,
  now: Date,
): Date {
  if (cause !== 'unpaid' || !next) return until
  const isWaitedFor = next.isMoved || (next.pay_at !== null && next.pay_at <= now)
  const by = next.isFrozen ? next.starts_at : isWaitedFor ? next.pay_by : null
  return by && by > until ? by : until
}

/** How many dates running may stay unpaid. */
const unpaidRunning = 2

// The rhythm ------------------------------------------------------------------------------------------------------

/** The part of a time zone that the rhythm needs, in epoch milliseconds. */
export type Clocks = {
  offsetAt(instant: number): number
  instantsOf(local: number): number[]
}

export type Hour = { weekday: number; startMinute: number; everyWeeks: EveryWeeks }

const day = 86_400_000
const minute = 60_000

/** The first day on or after `from` that is the weekday. */
export function firstOn(weekday: number, from: string): string {
  const first = dayNumber(from)
  return dayText(first + ((weekday - weekdayOf(first) + 7) % 7))
}

/** The first day after a session's, and on or after `from`, that is whole steps of a rhythm from it. */
export function nextInRhythm(onDate: string, everyWeeks: EveryWeeks, from: string): string {
  const [origin, step] = [dayNumber(onDate), 7 * everyWeeks]
  return dayText(origin + Math.max(1, Math.ceil((dayNumber(from) - origin) / step)) * step)
}

/** Weekday, minute and day of an instant on the clocks of a zone. */
export function localOf(
  clocks: Clocks,
  instant: Date,
): { onDate: string; weekday: number; startMinute: number } {
  const local = instant.getTime() + clocks.offsetAt(instant.getTime())
  const onDate = dayText(Math.floor(local / day))
  return {
    onDate,
    weekday: weekdayOf(dayNumber(onDate)),
    startMinute: Math.floor((local - dayNumber(onDate) * day) / minute),
  }
}

/**
 * The instant at which a date of the rhythm begins. A time that the clocks skip moves to the next one that exists; of a time
 * that they show twice, the first is taken.
 */
export function startOn(clocks: Clocks, onDate: string, startMinute: number): Date {
  const local = dayNumber(onDate) * day + startMinute * minute
  for (let skipped = 0; skipped <= day; skipped += minute) {
    const [first] = clocks.instantsOf(local + skipped)
    if (first !== undefined) return new Date(first)
  }
  throw new Error(`No clock shows a time after ${onDate} ${timeText(startMinute)}.`)
}

type Bounds = {
  first_on: string
  last_on: string | null
  every_weeks: EveryWeeks
}

/** The dates of a rhythm from a day on, `count` of them at most, up to `until`. */
export function datesFrom(
  { first_on, last_on, every_weeks }: Bounds,
  from: string,
  { count = Number.POSITIVE_INFINITY, until }: { count?: number; until?: string },
): string[] {
  const step = every_weeks * 7
  const first = dayNumber(first_on)
  const behind = Math.max(0, dayNumber(from) - first)
  const found: string[] = []
  for (let at = first + Math.ceil(behind / step) * step; found.length < count; at += step) {
    const date = dayText(at)
    if ((last_on !== null && date > last_on) || (until !== undefined && date > until)) break
    found.push(date)
    if (found.length >= 1000) break
  }
  return found
}

/** Whether a day is one of the rhythm's. */
export const isOfRhythm = (bounds: Bounds, date: string): boolean =>
  datesFrom(bounds, date, { count: 1 })[0] === date

/** Dates that begin by this time are reserved. */
export const reservedUntil = (now: Date): Date => later(now, days(reservedDays))

/** The day from which a later date is reserved. */
export function reservedFrom(clocks: Clocks, startsAt: Date): string {
  return localOf(clocks, later(startsAt, -days(reservedDays))).onDate
}

// What may be done ------------------------------------------------------------------------------------------------

type Standing = {
  state: SeriesState
  paused_cause: 'unpaid' | 'suspension' | null
  proposed_by: 'client' | 'practitioner'
  proposed_until: Date | null
  accepted_at: Date | null
  last_on: string | null
}

/** Whose answer a proposal waits for. */
export function waitsFor(
  { state, proposed_by, proposed_until, accepted_at }: Standing,
  rule: 'open' | 'ask' | 'closed',
  now: Date,
): 'client' | 'practitioner' | null {
  if (state !== 'proposed' || !proposed_until || proposed_until <= now) return null
  return proposed_by === 'client' && rule !== 'open' && accepted_at === null ? 'practitioner' : 'client'
}

/**
 * The practitioner's zone, if it is no longer that of a series, and who has confirmed the hour as its clocks show it. The
 * agreed local time stays.
 */
export function newZoneOf(series: {
  state: SeriesState
  timezone: string
  practitioner_timezone: string
  zone_confirmed_by_client: string | null
  zone_confirmed_by_practitioner: string | null
}) {
  const { state, practitioner_timezone: zone } = series
  if (zone === series.timezone || (state !== 'active' && state !== 'paused')) return undefined
  return {
    timezone: zone,
    isConfirmedBy: {
      client: series.zone_confirmed_by_client === zone,
      practitioner: series.zone_confirmed_by_practitioner === zone,
    },
  }
}

/** Whether a series that has a last day goes on until a day of its rhythm. */
export const reaches = ({ last_on }: Pick<Standing, 'last_on'>, onDate: string): boolean =>
  last_on === null || onDate <= last_on

/** Whether the practitioner of a series may see no client now: suspended, closed, or their vetted facts have lapsed. */
export const isSuspended = (
  row: { practitioner_state: string; practitioner_vetted_until: Date | null },
  now: Date,
): boolean =>
  row.practitioner_state === 'suspended' ||
  row.practitioner_state === 'closed' ||
  (row.practitioner_vetted_until !== null && row.practitioner_vetted_until <= now)

type Facts = {
  waitsFor: 'client' | 'practitioner' | null
  /** The first day of a new price that is not answered. */
  openPriceFrom: string | null
  /** As `isSuspended`. */
  isSuspended: boolean
  newZone: ReturnType<typeof newZoneOf>
}

/** What one of the two may do with a series now. */
export function actionsOf(series: Standing, you: 'client' | 'practitioner', facts: Facts) {
  const isClient = you === 'client'
  const isLive = series.state === 'active' || series.state === 'paused'
  const goesOn = series.state === 'active' && series.last_on === null
  return {
    agree: isClient && facts.waitsFor === 'client',
    accept: !isClient && facts.waitsFor === 'practitioner',
    decline: series.state === 'proposed',
    away: isClient && series.state === 'active',
    change: isClient && goesOn && !facts.isSuspended,
    end: isClient ? isLive || series.state === 'proposed' : isLive,
    change_card: isClient && isLive,
    answer_price: isClient && isLive && facts.openPriceFrom !== null && reaches(series, facts.openPriceFrom),
    propose_price: !isClient && goesOn && facts.openPriceFrom === null,
    resume:
      isClient && series.state === 'paused' && series.paused_cause === 'suspension' && !facts.isSuspended,
    confirm_zone: facts.newZone !== undefined && !facts.newZone.isConfirmedBy[you],
  }
}

type Booked = { state: string; startsAt: Date; isPaying: boolean; isFrozen?: boolean }

/** What one of the two may do with a date now. */
export function dateActions(
  {
    state,
    session,
    startsAt,
    skippedBy,
    conflictCause = null,
    isAfterEnd,
  }: {
    state: 'free' | 'later' | DateState
    session: Booked | undefined
    startsAt: Date
    skippedBy: Side | null
    conflictCause?: ConflictCause | null
    /** Whether its day is after the last one of the series. */
    isAfterEnd: boolean
  },
  { seriesState, you, now }: { seriesState: SeriesState; you: 'client' | 'practitioner'; now: Date },
) {
  const isAhead = startsAt > now
  const isClient = you === 'client'
  const isUnpaid = session?.state === 'reserved' && isAhead && !session.isPaying
  const isActive = seriesState === 'active' && !isAfterEnd
  const isLive = isActive || (seriesState === 'paused' && !isAfterEnd)
  return {
    skip: isClient && (isUnpaid || (isLive && isAhead && (state === 'later' || state === 'conflict'))),
    restore: isClient && isActive && state === 'skipped' && skippedBy === 'client' && isAhead,
    move: isClient && isUnpaid && !session?.isFrozen,
    keep: !isClient && isActive && state === 'conflict' && conflictCause === 'busy_elsewhere' && isAhead,
    choose_time: isClient && isActive && state === 'conflict' && isAhead,
  }
}

/** The outcome of a date whose session has reached one. */
export type Outcome = 'paid' | 'unpaid' | 'other'

/** Whether the latest dates with an outcome, newest first, end a run that pauses the series. */
export function isRunUnpaid(outcomes: readonly Outcome[]): boolean {
  const latest = outcomes.filter((outcome) => outcome !== 'other').slice(0, unpaidRunning)
  return latest.length === unpaidRunning && latest.every((outcome) => outcome === 'unpaid')
}

/** The state of a date after its session changed; undefined if it stays. */
export function stateOfDate(session: {
  state: string
  startsAt: Date
  rhythmStart: Date
  cancelledBy: Side | null
  cancelCode: string | null
}): { state: 'planned' | 'moved' | 'skipped' | 'released'; by: Side } {
  if (session.state === 'cancelled' || session.state === 'expired') {
    const by = session.cancelledBy ?? 'system'
    const isSkipped = session.cancelCode === 'absence' || (by === 'client' && session.cancelCode === null)
    return { state: isSkipped ? 'skipped' : 'released', by }
  }
  return {
    state: session.startsAt.getTime() === session.rhythmStart.getTime() ? 'planned' : 'moved',
    by: 'client',
  }
}

// Price -------------------------------------------------------------------------------------------------------------

/** The first day that a new price may apply from, on the clocks of the series. */
export function earliestPrice(clocks: Clocks, now: Date): string {
  return localOf(clocks, later(now, days(newPriceDays))).onDate
}

/** Until when a new price is answered. */
export const priceAnsweredBy = (firstStart: Date): Date => later(firstStart, -deadlines.priceAnswer)

/** The price of a date, with an accepted change. */
export function feeOn(
  series: { fee_pence: number },
  change: { fee_pence: number; from_date: string; answer: 'accepted' | 'declined' | null } | undefined,
  onDate: string,
): number {
  return change?.answer === 'accepted' && onDate >= change.from_date ? change.fee_pence : series.fee_pence
}
