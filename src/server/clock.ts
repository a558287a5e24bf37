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

const londonDate = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London' })

let lastHour = { hour: Number.NaN, day: '' }

/** The calendar day of an instant in the United Kingdom, `YYYY-MM-DD`. */
export function dayInLondon(instant: Date): string {
  // Days there begin with an hour of UTC.
  const hour = Math.floor(instant.getTime() / hours(1))
  if (hour !== lastHour.hour) lastHour = { hour, day: londonDate.format(instant) }
  return lastHour.day
}
