import { accountKey } from './account-key.ts'
import { apiQuery } from './api-query.ts'

/** The client's places on waitlists. */
export const ownWaitlistQuery = () =>
  apiQuery(accountKey('waitlist', 'entries'), 'GET /client/waitlist', { staleTime: 0 })
