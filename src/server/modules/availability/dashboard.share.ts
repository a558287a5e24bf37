import type { DashboardShare } from '../practitioners/dashboard.ts'
import { hasSchedule } from './availability.store.ts'

/** What the schedule has to say on the dashboard. */
export const scheduleDashboard: DashboardShare = {
  parts: {},
  async tasks(db, { id }) {
    if (await hasSchedule(db, id)) return []
    return [
      {
        code: 'schedule_empty',
        urgency: 'now',
        title: 'Say when you work',
        message: 'Your weekly schedule is empty, so nobody can book a session yet.',
        action: { label: 'Set your schedule', path: '/therapist/calendar' },
        due: null,
      },
    ]
  },
}
