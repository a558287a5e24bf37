import { accountKey } from '#web/lib/account-key.ts'
import { apiQuery } from '#web/lib/api-query.ts'

/** The saved week with the sessions of a week of the calendar, the present one without a day. */
export const scheduleQuery = (from?: string) =>
  apiQuery(accountKey('schedule', 'week', from ?? 'present'), 'GET /therapist/schedule', {
    query: { from },
    staleTime: 0,
  })

export const timeOffQuery = () =>
  apiQuery(accountKey('schedule', 'time-off'), 'GET /therapist/time-off', { staleTime: 0 })

export const availableNowQuery = () =>
  apiQuery(accountKey('schedule', 'available-now'), 'GET /therapist/available-now', {
    staleTime: 0,
  })

export const calendarFeedQuery = () =>
  apiQuery(accountKey('schedule', 'calendar-feed'), 'GET /therapist/calendar-feed', {
    staleTime: 0,
  })

export const googleCalendarQuery = () =>
  apiQuery(accountKey('schedule', 'google-calendar'), 'GET /therapist/google-calendar', {
    staleTime: 0,
  })

/** Of all that a change to the schedule or the time off changes. Time off may end the switch for help right now. */
export const scheduleKeys = () => [
  accountKey('schedule', 'week'),
  accountKey('schedule', 'time-off'),
  accountKey('schedule', 'available-now'),
]
