import type { AppointmentDetail } from '#contract/bookings/bookings.ts'
import type { AppointmentType } from '#contract/common.ts'
import { bookingQuery } from '#web/lib/booking-path.ts'
import { profilePath } from '#web/lib/profile-path.ts'
import { formatIn, idIn } from '#web/lib/search-params.ts'
import { foundTherapistsPath } from '#web/lib/site.ts'

/** What is to be booked, as `/book-therapist` carries it in its query. */
export type BookingRequest = {
  practitionerId: number
  serviceId: number
  /** ISO 8601 in UTC. */
  startsAt: string
  /** The first that the practitioner offers this service in, when absent. */
  type: AppointmentType | undefined
}

/** What the query lacks, with as much of it as is known, to lead back by. */
type IncompleteRequest = { missing: 'practitioner' | 'service' | 'time'; practitionerId?: number }

/** Reads `practitionerId`, `service`, `datetime` and `type` out of an address. */
export function readBookingRequest(search: URLSearchParams): BookingRequest | IncompleteRequest {
  const practitionerId = idIn(search.get('practitionerId'))
  if (!practitionerId) return { missing: 'practitioner' }
  const serviceId = idIn(search.get('service'))
  if (!serviceId) return { missing: 'service', practitionerId }
  const startsAt = instantOf(search.get('datetime'))
  if (!startsAt) return { missing: 'time', practitionerId }
  return { practitionerId, serviceId, startsAt, type: formatIn(search.get('type')) }
}

/** The request that a held session was started for. */
export function requestOf(
  session: Pick<AppointmentDetail, 'practitioner_id' | 'service_id' | 'starts_at' | 'appointment_type'>,
): BookingRequest | undefined {
  const { practitioner_id, service_id, starts_at, appointment_type } = session
  if (service_id === null || starts_at === null) return undefined
  return {
    practitionerId: practitioner_id,
    serviceId: service_id,
    startsAt: starts_at,
    type: appointment_type ?? undefined,
  }
}

/** The practitioner, with the session if there is one, that a visitor chose before they were asked to sign in. */
export type ChosenBefore = { practitionerId: number; request?: BookingRequest }

/** Reads the choice out of the path that sign-in leads back to: a booking, or a chat with a practitioner. */
export function chosenBefore(returnTo: string): ChosenBefore | undefined {
  const { pathname, searchParams } = new URL(returnTo, 'https://hearth.invalid')
  if (pathname === '/chats') {
    const practitionerId = idIn(searchParams.get('with'))
    return practitionerId ? { practitionerId } : undefined
  }
  if (pathname !== '/book-therapist') return undefined
  const request = readBookingRequest(searchParams)
  if (!('missing' in request)) return { practitionerId: request.practitionerId, request }
  return request.practitionerId ? { practitionerId: request.practitionerId } : undefined
}

/**
 * Where a card is added that pays a held session; `price` in pounds. What is booked goes along, or the offer of a
 * waitlist, as the way back.
 */
export function addCardPath(
  session: { session_id: string; fee: number },
  request: BookingRequest | { offerId: string },
): string {
  const query = 'offerId' in request ? new URLSearchParams({ offer: request.offerId }) : bookingQuery(request)
  query.set('session', session.session_id)
  query.set('price', String(session.fee))
  query.set('process', 'booking-process')
  return `/add-card?${query}`
}

/** The page to choose another time on: the practitioner's profile, or the list without a practitioner. */
export function otherTimesPath(practitionerId: number | undefined): string {
  return practitionerId === undefined ? foundTherapistsPath : profilePath(practitionerId)
}

/** A plus sign that was not escaped arrives as a space. */
function instantOf(text: string | null): string | undefined {
  const match = text?.match(/^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+ -]\d\d:\d\d)$/)
  if (!match) return undefined
  const instant = new Date(`${match[1]}${match[2]?.replace(' ', '+')}`)
  return Number.isNaN(instant.getTime()) ? undefined : instant.toISOString()
}
