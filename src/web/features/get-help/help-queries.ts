import { queryOptions } from '@tanstack/react-query'
import type { FollowedAppointment } from '#contract/bookings/bookings.ts'
import type { HelpDispatch } from '#contract/get-help/help-dispatch.ts'
import { accountKey } from '#web/lib/account-key.ts'
import { callApi } from '#web/lib/api.ts'
import { apiQuery } from '#web/lib/api-query.ts'
import { serverNow } from '#web/lib/clock.ts'

/** All that is kept of the caller's search for help. */
export const helpRoot = () => accountKey('get-help')

/** Who would be asked now. Never from memory, and not again by itself: what is on the screen is what is paid for. */
export const helpSearchQuery = (issueId: number) =>
  queryOptions({
    queryKey: accountKey('get-help', 'search', issueId),
    queryFn: async ({ signal }) => {
      const { data } = await callApi('GET /find-therapist/get-help-right-now', {
        query: { issue_id: issueId },
        signal,
      })
      return data[0] ?? null
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })

/** Where the caller's search stands, if there is one or was within the last hour. */
export const currentHelpQuery = () =>
  queryOptions({
    queryKey: accountKey('get-help', 'current'),
    queryFn: async ({ signal }) => (await callApi('GET /appointment/get-help-right-now', { signal })).data,
    staleTime: 0,
  })

/** One search for help, followed to its end. */
export const followedHelpQuery = (sessionId: string) =>
  apiQuery(accountKey('get-help', 'followed', sessionId), 'GET /appointment/{appointment_id}', {
    params: { appointment_id: sessionId },
    staleTime: 0,
  })

/**
 * Milliseconds between two looks at a search; false once nothing is expected any more. While live events come, it is only
 * for those that were lost.
 */
export function lookAgainIn(dispatch: HelpDispatch | null | undefined, isConnected: boolean): number | false {
  if (!dispatch) return false
  if (dispatch.state === 'claimed' || dispatch.state === 'asking') return isConnected ? 15_000 : 3000
  return dispatch.money.state === 'returning' ? 15_000 : false
}

/** Milliseconds between two reads during a hold: the clock on the screen may end before the server's does. */
export function heldLookAgainIn(dispatch: HelpDispatch | null | undefined): number | false {
  return dispatch?.state === 'claimed' ? 5000 : false
}

/** Whether the session of an accepted search has ended. */
export function isOver({ ends_at }: Pick<FollowedAppointment, 'ends_at'>): boolean {
  return ends_at !== null && Date.parse(ends_at) <= serverNow()
}
