import type { AppointmentDetail } from '#contract/bookings/bookings.ts'
import type { AppointmentType } from '#contract/common.ts'

/** The public profile of a practitioner; its times open in the format given. */
export function profilePath(practitionerId: number, type?: AppointmentType): string {
  const path = `/recommended-therapist?practitionerId=${practitionerId}`
  return type ? `${path}&type=${type}` : path
}

/** The profile, open on what was booked. */
export function profileOfBooked({
  practitioner_id,
  appointment_type,
  service_id,
}: Pick<AppointmentDetail, 'practitioner_id' | 'appointment_type' | 'service_id'>): string {
  const path = profilePath(practitioner_id, appointment_type ?? undefined)
  return service_id === null ? path : `${path}&service=${service_id}`
}
