import { atTime, formatTime, type InstantLike, viewerZone } from '#web/lib/time.ts'

/** 10:00, where this device is. */
export function clockTime(instant: string): string {
  return formatTime(instant, viewerZone())
}

/** When a room opens, with its day unless that is today. */
export function roomOpensLabel(opensAt: string, zone: string, now: InstantLike): string {
  return `Your room opens ${atTime(opensAt, zone, now)}`
}
