/** Where the product takes the time from; tests move it. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

export const seconds = (count: number) => count * 1000
export const minutes = (count: number) => count * 60_000
export const hours = (count: number) => count * 3_600_000
export const days = (count: number) => count * 86_400_000

/** An instant moved by milliseconds. */
export function later(instant: Date, milliseconds: number): Date {
  return new Date(instant.getTime() + milliseconds)
}

/** The first full second at or after an instant. */
export const nextSecond = (instant: Date): Date => new Date(Math.ceil(instant.getTime() / 1000) * 1000)

// Calendar days are counted from 1970-01-01, in any zone.

/** `YYYY-MM-DD` as a number. */
export const dayNumber = (date: string): number => Math.floor(Date.parse(`${date}T00:00:00Z`) / days(1))
export const dayText = (day: number): string => new Date(days(day)).toISOString().slice(0, 10)

/** 1 for a Monday; 1970-01-01 was a Thursday. */
export const weekdayOf = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1
/** The Monday of a day's week. */
export const mondayOf = (day: number): number => day - weekdayOf(day) + 1

/** `09:00` as minutes of a day, and back. */
export function minuteOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return hour * 60 + minute
}
export const timeText = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

const londonDate = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London' })

let lastHour = { hour: Number.NaN, day: '' }

/** The calendar day of an instant in the United Kingdom, `YYYY-MM-DD`. */
export function dayInLondon(instant: Date): string {
  // Days there begin with an hour of UTC.
  const hour = Math.floor(instant.getTime() / hours(1))
  if (hour !== lastHour.hour) lastHour = { hour, day: londonDate.format(instant) }
  return lastHour.day
}
