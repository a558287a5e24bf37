import { keepPreviousData } from '@tanstack/react-query'
import { accountKey } from '#web/lib/account-key.ts'
import { apiQuery } from '#web/lib/api-query.ts'

/** All that the dashboard keeps. */
export const dashboardRoot = () => accountKey('dashboard')

/** The dashboard itself and its earnings, to be read again. */
export const overviewKeys = () => [overviewQuery().queryKey, earningsQuery().queryKey]

/** Every list of the practitioner's own sessions, to be read again. */
export const ownSessionsKeys = () => [accountKey('dashboard', 'sessions')]

/** The live events that change them. */
export const dashboardNews = ['session.changed'] as const

/** What is next, and what is to be done. Never from memory alone: it may have been done a moment ago. */
export const overviewQuery = () =>
  apiQuery(accountKey('dashboard', 'overview'), 'GET /therapist/home/get-dashboard-overview', {
    staleTime: 0,
  })

/** The practitioner's own earnings, which a suspended one reads too. */
export const earningsQuery = () => apiQuery(accountKey('dashboard', 'earnings'), 'GET /therapist/earnings')

/** The practitioner's own suspension. Never from memory: it may have been lifted. */
export const suspensionQuery = () =>
  apiQuery(accountKey('dashboard', 'suspension'), 'GET /therapist/suspension', { staleTime: 0 })

export type When = 'upcoming' | 'past'

/** A page of the practitioner's own sessions. */
export const ownSessionsQuery = (when: When, page: number) =>
  apiQuery(accountKey('dashboard', 'sessions', when, page), 'GET /therapist/sessions', {
    query: { when, page },
    placeholderData: keepPreviousData,
  })
