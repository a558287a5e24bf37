import { keepPreviousData } from '@tanstack/react-query'
import { accountKey } from '#web/lib/account-key.ts'
import { apiQuery } from '#web/lib/api-query.ts'

/** All that is kept of reviews. */
export const reviewsRoot = () => accountKey('reviews')

/** What shows what the caller wrote of a session: their lists, and the session's own page. */
export const ownReviewKeys = () => [reviewsRoot(), accountKey('session')]

/** A page of the caller's sessions that are over, with their reviews. */
export const pastSessionsQuery = (page: number) =>
  apiQuery(accountKey('reviews', 'past', page), 'GET /appointment/get-past-sessions', {
    query: { page },
    placeholderData: keepPreviousData,
  })

/** The caller's own reviews of a practitioner. */
export const ownReviewsQuery = (practitionerId: number) =>
  apiQuery(accountKey('reviews', 'own', practitionerId), 'GET /client/reviews', {
    query: { practitioner_id: practitionerId },
  })

/** A page of the reviews that a practitioner has received. */
export const receivedReviewsQuery = (page: number, onlyUnreplied: boolean) =>
  apiQuery(accountKey('reviews', 'received', page, onlyUnreplied), 'GET /therapist/reviews', {
    query: { page, ...(onlyUnreplied ? { unreplied: 'true' } : {}) },
    placeholderData: keepPreviousData,
  })
