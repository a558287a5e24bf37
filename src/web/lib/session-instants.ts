import type { AppointmentDetail } from '#contract/bookings/bookings.ts'

/** Whether the time of a session is up, or its room was ended for both. `now` in epoch milliseconds. */
export const hasEnded = (
  { ends_at, room }: Pick<AppointmentDetail, 'ends_at' | 'room'>,
  now: number,
): boolean => Boolean(room?.ended_at) || (ends_at !== null && Date.parse(ends_at) <= now)
