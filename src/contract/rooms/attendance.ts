import { z } from 'zod'
import { Instant } from '../common.ts'

export const Attendance = z.object({
  first_in: Instant,
  last_out: Instant,
  /** Whole minutes in the room. */
  minutes: z.number().int(),
})
export type Attendance = z.infer<typeof Attendance>

/** Of both sides; null for a side that has not come, and once its times are forgotten. */
export const SessionAttendance = z.object({
  client: Attendance.nullable(),
  practitioner: Attendance.nullable(),
})
export type SessionAttendance = z.infer<typeof SessionAttendance>
