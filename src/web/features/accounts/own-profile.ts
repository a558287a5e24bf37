import { queryOptions } from '@tanstack/react-query'
import { accountKey } from '#web/lib/account-key.ts'
import { callApi } from '#web/lib/api.ts'
import { apiQuery } from '#web/lib/api-query.ts'
import { readSession } from '#web/lib/session.ts'
import type { AccountRole } from './account-paths.ts'

/** The signed-in client's own data. */
export const ownProfileQuery = () => apiQuery(accountKey('own-profile'), 'GET /client/profile')

/** What clients and practitioners alike see of their account. */
export type OwnAccount = {
  first_name: string
  last_name: string
  email: string
  email_verified: boolean
  /** Only practitioners' names are, once their documents are handed in. */
  name_fixed?: boolean
}

/** The signed-in client's or practitioner's own account. */
export const ownAccountQuery = (role: AccountRole) =>
  queryOptions<OwnAccount>({
    queryKey: accountKey('own-profile'),
    queryFn: ({ signal }) =>
      role === 'client'
        ? callApi('GET /client/profile', { signal })
        : callApi('GET /therapist/account', { signal }),
  })

/** The new address that waits for its link to be opened. */
export const pendingEmailQuery = () =>
  apiQuery(accountKey('pending-email'), 'GET /change-email', { staleTime: 0 })

/** The code that the signed-in client entered, and what it still gives. */
export const enteredCodeQuery = () =>
  apiQuery(accountKey('entered-code'), 'GET /client/check-referral-code', { staleTime: 0 })

/** What one wants to be told, and where. */
export const notificationsQuery = () =>
  apiQuery(accountKey('notifications'), 'GET /notices', { staleTime: 0 })

/** Whether a client's own calendar has a link to their sessions. */
export const calendarLinkQuery = () =>
  apiQuery(accountKey('calendar-link'), 'GET /client/calendar-feed', { staleTime: 0 })

/** Where the account is signed in. Never from memory: it is looked at to see who else is there. */
export const loginSessionsQuery = (role: AccountRole) =>
  queryOptions({
    queryKey: accountKey('login-sessions'),
    queryFn: ({ signal }) => callApi(`GET /${role}/login-sessions`, { signal }),
    // After signing out everywhere this page stays for a moment without a session.
    enabled: readSession().role === role,
    staleTime: 0,
  })

/** What stands in the way of deleting the account. */
export const hindrancesQuery = () =>
  apiQuery(accountKey('hindrances'), 'GET /client/delete-account', { staleTime: 0 })

/** The records kept after a deletion; the same list for every account. */
export const keptQuery = () => apiQuery(['kept-after-deletion'], 'GET /client/kept-after-deletion')
