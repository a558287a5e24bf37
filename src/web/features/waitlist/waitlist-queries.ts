import { queryOptions } from '@tanstack/react-query'
import { accountKey } from '#web/lib/account-key.ts'
import { callApi } from '#web/lib/api.ts'
import { apiQuery } from '#web/lib/api-query.ts'
import { serverNow } from '#web/lib/clock.ts'
import { isSwappable } from './swaps.ts'

/** The client's places on waitlists. */
export const ownWaitlistQuery = () =>
  apiQuery(accountKey('waitlist', 'entries'), 'GET /client/waitlist', { staleTime: 0 })

/** The searches that the client wants to be told of. */
export const wishesQuery = () =>
  apiQuery(accountKey('waitlist', 'wishes'), 'GET /client/search-wishes', { staleTime: 0 })

/** Who waits for the signed-in practitioner, with what is offered and wanted in the week of a day; the present one without. */
export const therapistWaitlistQuery = (from?: string) =>
  apiQuery([...therapistWaitlistKey(), from ?? 'present'], 'GET /therapist/waitlist', {
    query: { from },
    staleTime: 0,
  })

/** Of the waitlist in every week. */
export const therapistWaitlistKey = () => accountKey('waitlist', 'practitioner')

/** The client's sessions with a practitioner that can still be cancelled free of charge, paid or not. */
export const swappableQuery = (practitionerId: number) =>
  queryOptions({
    queryKey: accountKey('waitlist', 'swappable', practitionerId),
    queryFn: async ({ signal }) => {
      const sessions = await callApi('GET /appointment/get-upcoming-sessions', { signal })
      return sessions.filter((session) => isSwappable(session, practitionerId, serverNow()))
    },
  })

/** What one can search by, to name it. */
export const knownFiltersQuery = () => apiQuery(['known-filters'], 'GET /filter/i-know')
