import { queryOptions } from '@tanstack/react-query'
import { callApi } from '#web/lib/api.ts'
import { readSession } from '#web/lib/session.ts'

/** A key that carries the practitioner's email: another account may sign in within the same tab. */
function accountKey(...parts: unknown[]) {
  const session = readSession()
  return ['schedule', session.role === 'therapist' ? session.therapist.email : null, ...parts]
}

/** Without a network the call fails and says so, rather than waiting for one in silence. */
const asked = { networkMode: 'always' } as const

/** The saved week with the sessions of a week of the calendar, the present one without a day. */
export const scheduleQuery = (from?: string) =>
  queryOptions({
    ...asked,
    queryKey: accountKey('week', from ?? 'present'),
    queryFn: ({ signal }) => callApi('GET /therapist/schedule', { query: { from }, signal }),
    staleTime: 0,
  })

export const timeOffQuery = () =>
  queryOptions({
    ...asked,
    queryKey: accountKey('time-off'),
    queryFn: ({ signal }) => callApi('GET /therapist/time-off', { signal }),
    staleTime: 0,
  })

export const availableNowQuery = () =>
  queryOptions({
    ...asked,
    queryKey: accountKey('available-now'),
    queryFn: ({ signal }) => callApi('GET /therapist/available-now', { signal }),
    staleTime: 0,
  })

export const calendarFeedQuery = () =>
  queryOptions({
    ...asked,
    queryKey: accountKey('calendar-feed'),
    queryFn: ({ signal }) => callApi('GET /therapist/calendar-feed', { signal }),
    staleTime: 0,
  })

export const googleCalendarQuery = () =>
  queryOptions({
    ...asked,
    queryKey: accountKey('google-calendar'),
    queryFn: ({ signal }) => callApi('GET /therapist/google-calendar', { signal }),
    staleTime: 0,
  })

/** Of all that a change to the schedule or the time off changes. */
export const scheduleKeys = () => [accountKey('week'), accountKey('time-off')]
