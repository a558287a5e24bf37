import type { AppointmentDetail } from '#contract/bookings/bookings.ts'
import type { TherapistSession } from '#contract/bookings/practitioner-sessions.ts'

export type SessionInstant = string | null | undefined

/** When the server changes by itself what a practitioner may do to a session. */
export const practitionerInstants = ({
  starts_at,
  no_show_from,
  ends_at,
  settles_at,
}: TherapistSession): SessionInstant[] => [starts_at, no_show_from, ends_at, settles_at]

/** When the server changes by itself what a client may do to a session. */
export const clientInstants = ({
  starts_at,
  change,
  ends_at,
  no_show,
}: Pick<AppointmentDetail, 'starts_at' | 'change' | 'ends_at' | 'no_show'>): SessionInstant[] => [
  starts_at,
  change.until,
  ends_at,
  no_show?.dispute_until,
]

/** The earliest of these instants after `now`, in epoch milliseconds; undefined if none is to come. */
export function firstAfter(instants: readonly SessionInstant[], now: number): number | undefined {
  const ahead = instants.flatMap((instant) => (instant ? [Date.parse(instant)] : [])).filter((at) => at > now)
  return ahead.length > 0 ? Math.min(...ahead) : undefined
}

/** Whether the time of a session is up, or its room was ended for both. `now` in epoch milliseconds. */
export const hasEnded = (
  { ends_at, room }: Pick<AppointmentDetail, 'ends_at' | 'room'>,
  now: number,
): boolean => Boolean(room?.ended_at) || (ends_at !== null && Date.parse(ends_at) <= now)
