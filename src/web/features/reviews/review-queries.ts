import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callApi } from '#web/lib/api.ts'
import { personOf, readSession } from '#web/lib/session.ts'

/** A key that carries the account's email: another account may sign in within the same tab. */
function accountKey(...parts: unknown[]) {
  return ['reviews', personOf(readSession())?.email ?? null, ...parts]
}

/** All that is kept of reviews. */
export const reviewsRoot = () => accountKey()

/** A page of the caller's sessions that are over, with their reviews. */
export const pastSessionsQuery = (page: number) =>
  queryOptions({
    queryKey: accountKey('past', page),
    queryFn: ({ signal }) => callApi('GET /appointment/get-past-sessions', { query: { page }, signal }),
    placeholderData: keepPreviousData,
  })

/** The caller's own reviews of a practitioner. */
export const ownReviewsQuery = (practitionerId: number) =>
  queryOptions({
    queryKey: accountKey('own', practitionerId),
    queryFn: ({ signal }) =>
      callApi('GET /client/reviews', { query: { practitioner_id: practitionerId }, signal }),
  })

/** A page of the reviews that a practitioner has received. */
export const receivedReviewsQuery = (page: number, onlyUnreplied: boolean) =>
  queryOptions({
    queryKey: accountKey('received', page, onlyUnreplied),
    queryFn: ({ signal }) =>
      callApi('GET /therapist/reviews', {
        query: { page, ...(onlyUnreplied ? { unreplied: 'true' } : {}) },
        signal,
      }),
    placeholderData: keepPreviousData,
  })
