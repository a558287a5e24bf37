import { apiQuery } from '#web/lib/api-query.ts'
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
  apiQuery(accountKey('week', from ?? 'present'), 'GET /therapist/schedule', {
    query: { from },
    ...asked,
    staleTime: 0,
  })

export const timeOffQuery = () =>
  apiQuery(accountKey('time-off'), 'GET /therapist/time-off', { ...asked, staleTime: 0 })

export const availableNowQuery = () =>
  apiQuery(accountKey('available-now'), 'GET /therapist/available-now', { ...asked, staleTime: 0 })

export const calendarFeedQuery = () =>
  apiQuery(accountKey('calendar-feed'), 'GET /therapist/calendar-feed', { ...asked, staleTime: 0 })

export const googleCalendarQuery = () =>
  apiQuery(accountKey('google-calendar'), 'GET /therapist/google-calendar', { ...asked, staleTime: 0 })

/** Of all that a change to the schedule or the time off changes. */
export const scheduleKeys = () => [accountKey('week'), accountKey('time-off')]
