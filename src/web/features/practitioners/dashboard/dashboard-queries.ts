import { keepPreviousData } from '@tanstack/react-query'
import { apiQuery } from '#web/lib/api-query.ts'
import { personOf, readSession } from '#web/lib/session.ts'

/** A key that carries the account's email: another account may sign in within the same tab. */
function accountKey(...parts: unknown[]) {
  return ['dashboard', personOf(readSession())?.email ?? null, ...parts]
}

/** All that the dashboard keeps. */
export const dashboardRoot = () => accountKey()

export const overviewQuery = () =>
  apiQuery(accountKey('overview'), 'GET /therapist/home/get-dashboard-overview')

/** The practitioner's own earnings, which a suspended one reads too. */
export const earningsQuery = () => apiQuery(accountKey('earnings'), 'GET /therapist/earnings')

/** The practitioner's own suspension. Never from memory: it may have been lifted. */
export const suspensionQuery = () =>
  apiQuery(accountKey('suspension'), 'GET /therapist/suspension', { staleTime: 0 })

export type When = 'upcoming' | 'past'

/** A page of the practitioner's own sessions. */
export const ownSessionsQuery = (when: When, page: number) =>
  apiQuery(accountKey('sessions', when, page), 'GET /therapist/sessions', {
    query: { when, page },
    placeholderData: keepPreviousData,
  })
