import { dayIn, formatDay, formatTime, type InstantLike } from './time.ts'

/** '14:20' today, 'tomorrow, 09:10', 'Wednesday 4 March, 09:10'. */
export function untilLabel(until: InstantLike, zone: string, now: InstantLike): string {
  const time = formatTime(until, zone)
  const days = (Date.parse(dayIn(until, zone)) - Date.parse(dayIn(now, zone))) / 86_400_000
  if (days === 0) return time
  return days === 1 ? `tomorrow, ${time}` : `${formatDay(until, zone, now)}, ${time}`
}

/** '2 hours 5 minutes', '20 minutes', 'less than a minute'. */
export function timeLeftLabel(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000)
  if (minutes < 1) return 'less than a minute'
  const parts = [
    [Math.floor(minutes / 60), 'hour'],
    [minutes % 60, 'minute'],
  ] as const
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}${count === 1 ? '' : 's'}`)
    .join(' ')
}
