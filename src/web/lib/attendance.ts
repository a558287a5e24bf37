import type { Attendance } from '#contract/rooms/attendance.ts'
import { formatTime } from './time.ts'

/** How long one side was in a session's room, and when. */
export function stayLabel({ first_in, last_out, minutes }: Attendance, zone: string): string {
  const stay = minutes === 1 ? '1 minute' : `${minutes} minutes`
  return `${minutes === 0 ? 'less than a minute' : stay}, between ${formatTime(first_in, zone)} and ${formatTime(last_out, zone)}`
}
