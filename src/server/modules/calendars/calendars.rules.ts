import { days, hours, later, minutes } from '../../clock.ts'

export type CalendarState = 'connected' | 'ended' | 'leaving'

type Transition = { from: CalendarState | 'none'; to: CalendarState | 'none'; when: string }

/** The life of a connected calendar. Every change of its state goes through this table. */
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
  /** For the way to Google's page and back. */
  journey: minutes(15),
  /** How old what is known of a calendar gets before it is read again. */
  freshness: minutes(5),
  /** Longer than a reading takes; then another may try. */
  claim: minutes(2),
  /** After that long, a grant that could not be given back is forgotten all the same. */
  leaving: days(3),
}

/** Nobody can book further ahead than 60 days and a little. */
export const readAhead = days(62)

/** When to try again after so many failures in a row: five minutes, ten, twenty … and every hour in the end. */
export const retryAt = (now: Date, failures: number): Date =>
  later(now, Math.min(lifetimes.freshness * 2 ** Math.max(0, Math.min(failures, 10) - 1), hours(1)))

type Range = { from: number; to: number }

/**
 * Busy times without the sessions that are booked here, in order and without overlaps. A session that is in the calendar
 * as well, by a mail say, would otherwise keep its own time taken after it has been moved or cancelled.
 */
export function withoutOwn(busy: readonly Range[], own: readonly Range[]): Range[] {
  const merged: Range[] = []
  for (const range of busy.filter(({ from, to }) => from < to).toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last && range.from <= last.to) last.to = Math.max(last.to, range.to)
    else merged.push({ ...range })
  }
  let left = merged
  for (const taken of own) {
    left = left.flatMap(({ from, to }) =>
      taken.to <= from || taken.from >= to
        ? [{ from, to }]
        : [
            { from, to: taken.from },
            { from: taken.to, to },
          ].filter((part) => part.from < part.to),
    )
  }
  return left
}

/**
 * The id of a session's entry: the session's own, in the letters that Google allows (base32hex), so that whoever writes
 * it twice writes it once. `again`: how often an entry of it was deleted there by hand for good.
 */
export function eventIdOf(appointmentId: string, again = 0): string {
  return `hearth${appointmentId.replaceAll('-', '')}${again === 0 ? '' : `r${again}`}`
}

/** The id after one that is spent. */
export function nextEventId(appointmentId: string, spent: string): string {
  return eventIdOf(appointmentId, Number(/r(\d+)$/.exec(spent)?.[1] ?? 0) + 1)
}
