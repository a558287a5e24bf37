import type { DashboardContribution } from '../../contributions/dashboard.ts'
import { monthBounds } from '../../months.ts'
import type { PractitionerSessions } from './practitioner/practitioner-sessions.service.ts'

/** Upcoming sessions shown on the dashboard itself. */
const shownSessions = 5

/** The dashboard contribution of sessions. */
export function bookingsDashboard(
  sessions: PractitionerSessions,
): DashboardContribution<'upcoming' | 'earnings'> {
  return {
    parts: {
      upcoming: (db, { id }) => sessions.sessionsOf(db, id, 'upcoming', { page: 1, perPage: shownSessions }),

      async earnings(db, { id, timezone, months }) {
        const sums = await sessions.earnings(
          db,
          id,
          months.map((month) => monthBounds(month, timezone).from),
        )
        return months.map((month, index) => {
          const sum = sums.get(index)
          return { month, amount: (sum?.pence ?? 0) / 100, sessions: sum?.sessions ?? 0 }
        })
      },
    },

    async tasks(db, { id }) {
      const count = await sessions.countWithoutOutcome(db, id)
      if (count === 0) return []
      return [
        {
          code: 'session_to_settle',
          urgency: 'soon',
          title:
            count === 1 ? 'Did your last session take place?' : `Did your last ${count} sessions take place?`,
          message:
            'A session counts as completed a day after its end. Until then you can say that the client did not come.',
          action: { label: 'See past sessions', path: '/therapist/sessions?when=past' },
          due: null,
        },
      ]
    },
  }
}
