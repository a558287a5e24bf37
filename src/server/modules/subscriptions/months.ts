import { inZone } from '../../months.ts'

/** The zone of all billing dates. */
export const billingZone = 'Europe/London'

/**
 * The instant some months after an anchor, at the same day and time in Europe/London, or on the last day of a shorter
 * month. Each month counts from the anchor: 31 January is followed by 28 or 29 February and then by 31 March. A time
 * that the clocks skip is an hour later on that day.
 */
export function monthsAfter(anchor: Date, months: number): Date {
  return new Date(inZone(anchor, billingZone).add({ months }, { overflow: 'constrain' }).epochMilliseconds)
}

export type Period = {
  anchor: Date
  /** Months from the anchor to the end of the period. */
  months: number
  startsAt: Date
  endsAt: Date
}

/**
 * The month that a payment made now pays. The first month, or the first after a pause, begins now. Each further month
 * begins at the end of the previous one, even if it is paid some days late. A month that has passed entirely is not
 * charged.
 */
export function nextPeriod(paid: { anchor: Date; months: number } | null, now: Date): Period {
  if (!paid) return { anchor: now, months: 1, startsAt: now, endsAt: monthsAfter(now, 1) }
  let months = paid.months + 1
  while (monthsAfter(paid.anchor, months) <= now) months++
  return {
    anchor: paid.anchor,
    months,
    startsAt: monthsAfter(paid.anchor, months - 1),
    endsAt: monthsAfter(paid.anchor, months),
  }
}

/** The same time on the day before, in Europe/London. Where the clocks change in between, it is not 24 hours earlier. */
export function dayBefore(instant: Date): Date {
  return new Date(inZone(instant, billingZone).subtract({ days: 1 }).epochMilliseconds)
}

/** The year of an instant in Europe/London. */
export function billingYear(instant: Date): number {
  return inZone(instant, billingZone).year
}
