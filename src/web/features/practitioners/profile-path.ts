import type { AppointmentType } from '#contract/common.ts'

/** The public profile of a practitioner; its times open in the format given. */
export function profilePath(practitionerId: number, type?: AppointmentType): string {
  const path = `/recommended-therapist?practitionerId=${practitionerId}`
  return type ? `${path}&type=${type}` : path
}
