import { z } from 'zod'
import { AppointmentType, Day, Id, IdInPath, Instant, TimeZone } from '../common.ts'
import { defineEndpoints } from '../endpoint.ts'

export const Slot = z.object({
  starts_at: Instant,
  ends_at: Instant,
  appointment_type: AppointmentType,
  location_id: Id.nullable(),
})
export type Slot = z.infer<typeof Slot>

const off = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())

export const SlotQuery = z.object({
  timezone: off(TimeZone),
  /** First day in the viewer's zone; today when absent. */
  from: off(Day),
  days: off(z.coerce.number().int().min(1).max(31)),
  /** Slots long enough for this service; for the shortest of each format when absent. */
  service_id: off(IdInPath),
  /** Slots of this length instead, for a session that is moved and stays as long as it was agreed. */
  duration_minutes: off(z.coerce.number().int().min(15).max(240)),
  appointment_type: off(AppointmentType),
})

export const AvailableSessions = z.object({
  /** `YYYY-MM-DD HH:mm` in the viewer's zone. */
  free_datetime: z.array(z.string()),
  slots: z.array(Slot),
  /** When the first of the slots can no longer be booked, since its lead time begins; null without slots. */
  fresh_until: Instant.nullable(),
  timezone: z.string(),
})
export type AvailableSessions = z.infer<typeof AvailableSessions>

export const availabilityEndpoints = defineEndpoints({
  'GET /practitioner/{id}/next-available-sessions': {
    access: 'anyone',
    summary: "Free starts of a listed practitioner, today's unless `from` and `days` are given",
    params: z.object({ id: IdInPath }),
    query: SlotQuery,
    answer: AvailableSessions,
  },
})
