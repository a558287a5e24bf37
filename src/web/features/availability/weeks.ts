import type { Slot } from '#contract/availability/availability.ts'
import { addDays, dayIn, formatDay } from '#web/lib/time.ts'

/*
 * Days are `YYYY-MM-DD` in some zone; counting them needs no zone.
 */

/** The Monday of a day's week. */
export function mondayOf(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return addDays(day, -((weekday + 6) % 7))
}

/** Free times by their day in a zone, in order. */
export function slotsByDay(slots: readonly Slot[], zone: string): Map<string, Slot[]> {
  const days = new Map<string, Slot[]>()
  for (const slot of slots.toSorted((a, b) => Date.parse(a.starts_at) - Date.parse(b.starts_at))) {
    const day = dayIn(slot.starts_at, zone)
    const known = days.get(day)
    if (known) known.push(slot)
    else days.set(day, [slot])
  }
  return days
}

/** The days of a strip: Monday to Friday, and the weekend in a week that has free times there. */
export function stripDays(monday: string, freeDays: Iterable<string>): string[] {
  const weekend = [addDays(monday, 5), addDays(monday, 6)]
  const length = [...freeDays].some((day) => weekend.includes(day)) ? 7 : 5
  return Array.from({ length }, (_, at) => addDays(monday, at))
}

/** The day to show first: the first with a free time, else the first that is not past, else the Monday. */
export function firstDayOf(days: readonly string[], freeDays: ReadonlySet<string>, today: string): string {
  return days.find((day) => freeDays.has(day)) ?? days.find((day) => day >= today) ?? days[0] ?? today
}

/** Wednesday 4 March; with the year where it is not this one. */
export function dayLabel(day: string, today: string): string {
  return formatDay(noon(day), 'UTC', noon(today))
}

/** 2 to 6 March, 30 March to 3 April. */
export function weekLabel(days: readonly string[]): string {
  const [first, last] = [days[0], days.at(-1)].map((day) => ({
    number: Number(day?.slice(8)),
    month: monthName.format(new Date(noon(day ?? ''))),
  }))
  if (!first || !last) return ''
  const from = first.month === last.month ? `${first.number}` : `${first.number} ${first.month}`
  return `${from} to ${last.number} ${last.month}`
}

/** no free times, 1 free time, 12 free times. */
export function freeTimesLabel(count: number): string {
  return `${count === 0 ? 'no' : count} free ${count === 1 ? 'time' : 'times'}`
}

/** 2 to 6 March, 12 free times: what is heard of a week that one turns to. */
export function weekAnnouncement(days: readonly string[], counts: ReadonlyMap<string, number>): string {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return `${weekLabel(days)}, ${freeTimesLabel(total)}`
}

const monthName = new Intl.DateTimeFormat('en-GB', { month: 'long', timeZone: 'UTC' })
const weekdayName = new Intl.DateTimeFormat('en-GB', { weekday: 'short', timeZone: 'UTC' })

/** Wed. */
export function shortWeekday(day: string): string {
  return weekdayName.format(new Date(noon(day)))
}

const noon = (day: string) => `${day}T12:00:00Z`
