import type { DashboardShare } from '../practitioners/dashboard.ts'
import type { Calendars } from './calendars.service.ts'

/** What a calendar that is connected no more has to say on the dashboard. */
export function calendarsDashboard(calendars: Pick<Calendars, 'endedSince'>): DashboardShare {
  return {
    parts: {},
    async tasks(db, { id }) {
      if (!(await calendars.endedSince(db, id))) return []
      return [
        {
          code: 'calendar_ended',
          urgency: 'soon',
          title: 'Connect your Google Calendar again',
          message:
            'It ended from the other side. New sessions are not written to it, and what you enter there is not kept free.',
          action: { label: 'See your calendar', path: '/therapist/calendar' },
          due: null,
        },
      ]
    },
  }
}
