import { Temporal } from 'temporal-polyfill'

/** The calendar of a zone at an instant. */
export function inZone(instant: Date, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(zone)
}

/** The months of a zone from that of an instant to that of another, `2026-06`, oldest first. */
export function monthsBetween(from: Date, to: Date, zone: string): string[] {
  const { years, months } = monthOf(from, zone).until(monthOf(to, zone))
  return lastMonths(to, zone, years * 12 + months + 1)
}

/** The last months of a zone up to that of `now`, `2026-06`, oldest first. */
export function lastMonths(now: Date, zone: string, count: number): string[] {
  const oldest = monthOf(now, zone).subtract({ months: count - 1 })
  return Array.from({ length: count }, (_, months) => oldest.add({ months }).toString())
}

/** From the first instant of a month, `2026-06`, in a zone to that of the next. */
export function monthBounds(month: string, zone: string): { from: Date; to: Date } {
  const first = Temporal.PlainYearMonth.from(month)
  const start = (of: Temporal.PlainYearMonth) =>
    new Date(of.toPlainDate({ day: 1 }).toZonedDateTime(zone).epochMilliseconds)
  return { from: start(first), to: start(first.add({ months: 1 })) }
}

const monthOf = (instant: Date, zone: string) => inZone(instant, zone).toPlainDate().toPlainYearMonth()
