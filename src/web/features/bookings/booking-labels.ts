import type { Appointment, AppointmentDetail } from '#contract/bookings/bookings.ts'
import type { AppointmentType } from '#contract/common.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'

export const formatNames: Record<AppointmentType, string> = {
  online: 'Online',
  face_to_face: 'Face-to-face',
}

export const bookingTypeNames: Record<Appointment['booking_type'], string> = {
  schedule: 'Scheduled session',
  'get-help-right-now': 'Get help right now',
}

/** What tells a session apart from the others in a list: `Amelia Hart, Wednesday 4 March, 10:00`. */
export function sessionWords({
  practitioner,
  starts_at,
}: Pick<AppointmentDetail, 'practitioner' | 'starts_at'>): string {
  return [practitioner.full_name, starts_at && formatDayAndTime(starts_at, viewerZone())]
    .filter(Boolean)
    .join(', ')
}

/**
 * The end of "free of charge …": `until Friday 6 March, 10:32`, or `until it starts` where the last moment is the one
 * before the start.
 */
export function changeUntilLabel(until: string, startsAt: string, zone: string): string {
  const isUntilStart = Date.parse(startsAt) - Date.parse(until) < 60_000
  return isUntilStart ? 'until it starts' : `until ${formatDayAndTime(until, zone)}`
}

/** `50 minutes`, `1 hour`, `1 hour 30 minutes`. */
export function durationLabel(startsAt: string, endsAt: string): string {
  const minutes = Math.round((Date.parse(endsAt) - Date.parse(startsAt)) / 60_000)
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  return [
    hours > 0 && `${hours} ${hours === 1 ? 'hour' : 'hours'}`,
    (rest > 0 || hours === 0) && `${rest} ${rest === 1 ? 'minute' : 'minutes'}`,
  ]
    .filter(Boolean)
    .join(' ')
}
