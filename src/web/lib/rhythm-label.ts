import type { EveryWeeks, Rhythm } from '#contract/series/series.ts'
import { zoneTime } from '#contract/zone-names.ts'
import { type InstantLike, zoneNote } from './time.ts'

export const weekdayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

const ordinals: Record<EveryWeeks, string> = { 1: '', 2: 'second ', 4: 'fourth ' }

/** `Every second Tuesday at 10:00`; with the clock where the reader's shows another time. */
export function rhythmLabel(rhythm: Rhythm, zone: string, at: InstantLike): string {
  const { weekday, start, every_weeks, timezone } = rhythm
  return withClock(
    `Every ${ordinals[every_weeks]}${weekdayNames[weekday - 1]} at ${start}`,
    timezone,
    zone,
    at,
  )
}

/** Words of a time, with its clock where the reader's shows another one. */
export const withClock = (words: string, timezone: string, zone: string, at: InstantLike): string =>
  zoneNote(at, timezone, zone) === undefined ? words : `${words} (${zoneTime(timezone)})`
