// Weekdays of days such as `2026-06-09`, in any zone.

const dayMs = 86_400_000

/** 1 is Monday, 7 Sunday. */
export function weekdayOf(day: string): number {
  return ((new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7) + 1
}

/** The first day on or after `from` that is the weekday. */
export function firstDayOn(weekday: number, from: string): string {
  const ahead = (weekday - weekdayOf(from) + 7) % 7
  return new Date(Date.parse(`${from}T12:00:00Z`) + ahead * dayMs).toISOString().slice(0, 10)
}
