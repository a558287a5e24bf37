import type { EveryWeeks, Rhythm } from '#contract/series/series.ts'
import { zoneTime } from '#contract/zone-names.ts'
import { type InstantLike, zoneNote } from './time.ts'

export const weekdayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

const ordinals: Record<EveryWeeks, string> = { 1: '', 2: 'second ', 4: 'fourth ' }

/** `Every second Tuesday at 10:00`; with the clock where the reader's shows another time. */
export function rhythmLabel(rhythm: Rhythm, zone: string, at: InstantLike): string {
  const { weekday, start, every_weeks, timezone } = rhythm
  const words = `Every ${ordinals[every_weeks]}${weekdayNames[weekday - 1]} at ${start}`
  const differs = zoneNote(at, timezone, zone) !== undefined
  return differs ? `${words} (${zoneTime(timezone)})` : words
}
