/** The public profile of a practitioner. */
export function profilePath(practitionerId: number): string {
  return `/recommended-therapist?practitionerId=${practitionerId}`
}
