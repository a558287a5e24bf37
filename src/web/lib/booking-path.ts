import type { AppointmentType } from '#contract/common.ts'

/** The query of a booking's pages; `startsAt` in ISO 8601. */
export function bookingQuery(booking: {
  practitionerId: number
  serviceId: number
  startsAt: string
  type: AppointmentType | undefined
}): URLSearchParams {
  const { practitionerId, serviceId, startsAt, type } = booking
  return new URLSearchParams({
    practitionerId: String(practitionerId),
    service: String(serviceId),
    datetime: startsAt,
    ...(type && { type }),
  })
}

/** Where a chosen time is reviewed and paid. */
export function bookTherapistPath(booking: Parameters<typeof bookingQuery>[0]): string {
  // A colon needs no escape in a query, and a page of results has eighty times.
  return `/book-therapist?${bookingQuery(booking).toString().replaceAll('%3A', ':')}`
}
