import { keepPreviousData } from '@tanstack/react-query'
import { apiQuery } from '#web/lib/api-query.ts'
import { personOf, readSession } from '#web/lib/session.ts'

/** A key that carries the account's email: another account may sign in within the same tab. */
function accountKey(...parts: unknown[]) {
  return ['reviews', personOf(readSession())?.email ?? null, ...parts]
}

/** All that is kept of reviews. */
export const reviewsRoot = () => accountKey()

/** A page of the caller's sessions that are over, with their reviews. */
export const pastSessionsQuery = (page: number) =>
  apiQuery(accountKey('past', page), 'GET /appointment/get-past-sessions', {
    query: { page },
    placeholderData: keepPreviousData,
  })

/** The caller's own reviews of a practitioner. */
export const ownReviewsQuery = (practitionerId: number) =>
  apiQuery(accountKey('own', practitionerId), 'GET /client/reviews', {
    query: { practitioner_id: practitionerId },
  })

/** A page of the reviews that a practitioner has received. */
export const receivedReviewsQuery = (page: number, onlyUnreplied: boolean) =>
  apiQuery(accountKey('received', page, onlyUnreplied), 'GET /therapist/reviews', {
    query: { page, ...(onlyUnreplied ? { unreplied: 'true' } : {}) },
    placeholderData: keepPreviousData,
  })
