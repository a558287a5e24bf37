import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callApi } from '#web/lib/api.ts'
import { personOf, readSession } from '#web/lib/session.ts'

/** A key that carries the account's email: another account may sign in within the same tab. */
function accountKey(...parts: unknown[]) {
  return ['dashboard', personOf(readSession())?.email ?? null, ...parts]
}

/** All that the dashboard keeps. */
export const dashboardRoot = () => accountKey()

export const overviewQuery = () =>
  queryOptions({
    queryKey: accountKey('overview'),
    queryFn: ({ signal }) => callApi('GET /therapist/home/get-dashboard-overview', { signal }),
  })

/** The practitioner's own earnings, which a suspended one reads too. */
export const earningsQuery = () =>
  queryOptions({
    queryKey: accountKey('earnings'),
    queryFn: ({ signal }) => callApi('GET /therapist/earnings', { signal }),
  })

/** The practitioner's own suspension. Never from memory: it may have been lifted. */
export const suspensionQuery = () =>
  queryOptions({
    queryKey: accountKey('suspension'),
    queryFn: ({ signal }) => callApi('GET /therapist/suspension', { signal }),
    staleTime: 0,
  })

export type When = 'upcoming' | 'past'

/** A page of the practitioner's own sessions. */
export const ownSessionsQuery = (when: When, page: number) =>
  queryOptions({
    queryKey: accountKey('sessions', when, page),
    queryFn: ({ signal }) => callApi('GET /therapist/sessions', { query: { when, page }, signal }),
    placeholderData: keepPreviousData,
  })
