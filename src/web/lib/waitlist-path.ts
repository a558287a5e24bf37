import type { AppointmentType } from '#contract/common.ts'

/** Where a client joins the waitlist of a practitioner, with what was chosen on the profile. */
export function joinWaitlistPath(
  practitionerId: number,
  chosen: { type?: AppointmentType | undefined; serviceId?: number | undefined } = {},
): string {
  const query = new URLSearchParams({ practitionerId: String(practitionerId) })
  if (chosen.type) query.set('type', chosen.type)
  if (chosen.serviceId !== undefined) query.set('service', String(chosen.serviceId))
  return `/join-waitlist?${query}`
}

/** The client's places on waitlists, and the searches they want to be told of. */
export const ownWaitlistPath = '/my-sessions/waitlist'

/** Where an offered time is seen, paid or turned down. */
export const offerPath = (offerId: string) => `/book-therapist?offer=${offerId}`
