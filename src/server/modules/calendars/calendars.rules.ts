import { reservedDays } from '#contract/series/series.ts'
import { days, hours, later, minutes } from '../../clock.ts'

export type CalendarState = 'connected' | 'ended' | 'leaving'

type Transition = { from: CalendarState | 'none'; to: CalendarState | 'none'; when: string }

/** State machine of a connected calendar. Every change of its state goes through this table. */
export const calendarLife: readonly Transition[] = [
  { from: 'none', to: 'connected', when: 'consent was given' },
  { from: 'connected', to: 'connected', when: 'consent was given again, by the same account' },
  { from: 'connected', to: 'ended', when: 'Google lets us in no more, or our calendar there is gone' },
  { from: 'ended', to: 'connected', when: 'consent was given again, by the same account' },
  { from: 'connected', to: 'leaving', when: 'disconnected here' },
  { from: 'ended', to: 'leaving', when: 'disconnected here' },
  { from: 'leaving', to: 'none', when: 'Google has been told, or could not be for three days' },
]

export const canBecome = (from: CalendarState | 'none', to: CalendarState | 'none') =>
  calendarLife.some((step) => step.from === from && step.to === to)

export const lifetimes = {
  /** For the consent flow, to Google's page and back. */
  journey: minutes(15),
  /** Between two readings of a calendar. */
  freshness: minutes(5),
  /** How long a claim blocks other instances: longer than a reading takes. */
  claim: minutes(2),
  /** How long a failing revocation of a grant is retried before its row is deleted. */
  leaving: days(3),
}

/** How far ahead busy times are read: a little more than dates of series are reserved, which is the furthest. */
export const readAhead = days(reservedDays + 2)

/** The next try after some failures in a row: in five minutes, ten, twenty … and at most an hour. */
export const retryAt = (now: Date, failures: number): Date =>
  later(now, Math.min(lifetimes.freshness * 2 ** Math.max(0, Math.min(failures, 10) - 1), hours(1)))

type Range = { from: number; to: number }

/**
 * Leaves out busy times that sessions booked here cover exactly. Returns the rest in order and without overlaps. Otherwise a
 * session that a mail invitation put into the calendar would block its old time after a move or cancellation. A longer time
 * stays whole: it may be why the session is moved or cancelled. `own`: in order and without overlaps.
 */
export function withoutOwn(busy: readonly Range[], own: readonly Range[]): Range[] {
  const merged: Range[] = []
  const beginning = new Map(own.map((session) => [session.from, session]))
  const theirs = busy.filter((range) => range.from < range.to && !isCovered(range, beginning))
  for (const range of theirs.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last && range.from <= last.to) last.to = Math.max(last.to, range.to)
    else merged.push({ ...range })
  }
  return merged
}

/** Whether one session equals a busy time, or several without a gap, whose times a calendar returns as one. */
function isCovered({ from, to }: Range, beginning: ReadonlyMap<number, Range>): boolean {
  let until = from
  while (until < to) {
    const session = beginning.get(until)
    if (!session) return false
    until = session.to
  }
  return until === to
}

/**
 * Derives the id of an entry from its session's id, in the letters that Google allows (base32hex), so that repeated
 * writes create one entry. `again`: how often the practitioner has permanently deleted its entry by hand.
 */
export function eventIdOf(appointmentId: string, again = 0): string {
  return `hearth${appointmentId.replaceAll('-', '')}${again === 0 ? '' : `r${again}`}`
}

/** The id to use after `spent`, which Google does not accept again. */
export function nextEventId(appointmentId: string, spent: string): string {
  return eventIdOf(appointmentId, Number(/r(\d+)$/.exec(spent)?.[1] ?? 0) + 1)
}
