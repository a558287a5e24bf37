import { queryOptions } from '@tanstack/react-query'
import type { AppointmentType } from '#contract/common.ts'
import { accountKey } from '#web/lib/account-key.ts'
import { callApi } from '#web/lib/api.ts'
import { apiQuery } from '#web/lib/api-query.ts'
import { dayIn, viewerZone } from '#web/lib/time.ts'

/** The newest of the caller's sessions that are over or cancelled. */
export const recentQuery = () =>
  apiQuery(accountKey('bookings', 'recent'), 'GET /appointment/get-past-sessions')

/** Others whom the client of a session could see that week. */
export const alternativesQuery = (appointmentId: string) =>
  apiQuery(
    accountKey('bookings', 'alternatives', appointmentId),
    'GET /appointment/{appointment_id}/alternatives',
    {
      params: { appointment_id: appointmentId },
    },
  )

/** The caller's sessions that have not ended, soonest first. */
export const upcomingQuery = () =>
  apiQuery(accountKey('bookings', 'upcoming'), 'GET /appointment/get-upcoming-sessions')

/** What My Sessions lists, to be read again. */
export const listedKeys = () => [upcomingQuery().queryKey, recentQuery().queryKey]

/** The live events that change it. */
export const listedNews = ['session.changed'] as const

/** The times held for the caller until they pay. Never from the cache: they are paid or released in other tabs. */
export const heldQuery = () =>
  apiQuery(accountKey('bookings', 'held'), 'GET /appointment/get-upcoming-sessions', {
    query: { held: 'true' },
    staleTime: 0,
  })

/** One session of the caller. Never from the cache: its state decides whether the client pays. */
export const appointmentQuery = (id: string) =>
  apiQuery(accountKey('bookings', 'appointment', id), 'GET /appointment/{appointment_id}', {
    params: { appointment_id: id },
    staleTime: 0,
  })

/** Of all previews: what a booking would cost may have changed. */
export const previewQueryRoot = () => accountKey('bookings', 'preview')

/** Price and terms of a booking under consideration. */
export const previewQuery = (wanted: {
  practitionerId: number
  serviceId: number
  type: AppointmentType
  startsAt: string
  /** The session that would be moved there. */
  appointmentId?: string | undefined
  locationId?: number | undefined
}) =>
  apiQuery(accountKey('bookings', 'preview', wanted), 'GET /appointment/preview', {
    query: {
      practitioner_id: wanted.practitionerId,
      service_id: wanted.serviceId,
      appointment_type: wanted.type,
      datetime: wanted.startsAt,
      appointment_id: wanted.appointmentId,
      location_id: wanted.locationId,
    },
    staleTime: 0,
  })

/** Where a face-to-face session at this time would take place: the id of a location, null when the time is not free. */
export const placeQuery = (wanted: { practitionerId: number; serviceId: number; startsAt: string }) =>
  queryOptions({
    queryKey: ['place', wanted],
    queryFn: async ({ signal }) => {
      const timezone = viewerZone()
      const { slots } = await callApi('GET /practitioner/{id}/next-available-sessions', {
        params: { id: wanted.practitionerId },
        query: {
          timezone,
          from: dayIn(wanted.startsAt, timezone),
          days: 1,
          service_id: wanted.serviceId,
          appointment_type: 'face_to_face',
        },
        signal,
      })
      const instant = Date.parse(wanted.startsAt)
      return slots.find((slot) => Date.parse(slot.starts_at) === instant)?.location_id ?? null
    },
    staleTime: 0,
  })

/** An hour offered to the caller from a waitlist, as it stands now. Never from the cache: its state decides whether the client pays. */
export const waitlistOfferQuery = (id: string) =>
  apiQuery(accountKey('bookings', 'waitlist-offer', id), 'GET /waitlist/offers/{id}', {
    params: { id },
    staleTime: 0,
  })

/**
 * The session that booking a time would cancel. Never from the cache: what is shown of it decides whether it is. The payment
 * waits for it, so it is not waited for long.
 */
export const swapQuery = (practitionerId: number, startsAt: string) =>
  queryOptions({
    queryKey: accountKey('bookings', 'swap', practitionerId, startsAt),
    queryFn: ({ signal }) =>
      callApi('GET /client/waitlist/swap', {
        query: { practitioner_id: practitionerId, starts_at: startsAt },
        timeout: 5000,
        signal,
      }),
    staleTime: 0,
    retry: false,
  })
