import { dayIn, formatDay, formatTime, type InstantLike, viewerZone } from '#web/lib/time.ts'

/** 10:00, where this device is. */
export function clockTime(instant: string): string {
  return formatTime(instant, viewerZone())
}

/** When a room opens, with its day unless that is today. */
export function roomOpensLabel(opensAt: string, zone: string, now: InstantLike): string {
  const isToday = dayIn(opensAt, zone) === dayIn(now, zone)
  const day = isToday ? '' : `on ${formatDay(opensAt, zone, now)} `
  return `Your room opens ${day}at ${formatTime(opensAt, zone)}`
}
