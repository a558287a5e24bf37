import { queryOptions } from '@tanstack/react-query'
import { callApi } from '#web/lib/api.ts'
import { readSession } from '#web/lib/session.ts'

/** Keys name whose answer it is: somebody else may sign in within the same tab. */
const mine = (what: string) => {
  const session = readSession()
  return [what, session.role === 'client' ? session.user.email : null]
}

/** The signed-in client's own data. */
export const ownProfileQuery = () =>
  queryOptions({
    queryKey: mine('own-profile'),
    queryFn: ({ signal }) => callApi('GET /client/profile', { signal }),
  })

/** Where the account is signed in. Never from memory: it is looked at to see who else is there. */
export const loginSessionsQuery = () =>
  queryOptions({
    queryKey: mine('login-sessions'),
    queryFn: ({ signal }) => callApi('GET /client/login-sessions', { signal }),
    staleTime: 0,
  })

/** What stands in the way of deleting the account. */
export const hindrancesQuery = () =>
  queryOptions({
    queryKey: mine('hindrances'),
    queryFn: ({ signal }) => callApi('GET /client/delete-account', { signal }),
    staleTime: 0,
  })

/** What stays after a deletion; the same for everybody. */
export const keptQuery = () =>
  queryOptions({
    queryKey: ['kept-after-deletion'],
    queryFn: ({ signal }) => callApi('GET /client/kept-after-deletion', { signal }),
  })
