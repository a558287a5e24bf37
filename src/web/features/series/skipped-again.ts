import type { SeriesDate } from '#contract/series/series.ts'
import type { Choices } from './ConflictChoice.tsx'

/**
 * The new dates of an hour that changes which fall into a week that the client has skipped: they are away then, whichever
 * day the hour is on.
 */
export function skippedAgain(before: readonly SeriesDate[], dates: readonly SeriesDate[]): Choices {
  const weeks = new Set(
    before.filter(({ state }) => state === 'skipped').map(({ on_date }) => weekOf(on_date)),
  )
  const inThem = dates.filter(({ on_date, conflict }) => conflict === null && weeks.has(weekOf(on_date)))
  return Object.fromEntries(inThem.map(({ on_date }) => [on_date, 'skip']))
}

/** Weeks since a Monday long ago, by a day `YYYY-MM-DD`. */
const weekOf = (day: string) => Math.floor((Date.parse(day) - Date.parse('1970-01-05')) / (7 * 86_400_000))
