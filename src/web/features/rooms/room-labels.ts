import { formatTime, viewerZone } from '#web/lib/time.ts'

/** 10:00, where this device is. */
export function clockTime(instant: string): string {
  return formatTime(instant, viewerZone())
}
