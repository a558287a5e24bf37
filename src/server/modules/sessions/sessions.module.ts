import { defineModule, type Given } from '../../module.ts'
import type { PractitionerSessions } from '../bookings/practitioner/practitioner-sessions.service.ts'
import type { Reviews } from '../reviews/reviews.service.ts'
import type { SeriesOfSessions } from '../series/series.sessions.ts'
import { sessionRoutes } from './sessions.routes.ts'
import { createSessions } from './sessions.service.ts'

type Needs = {
  reviews: Reviews
  practitionerSessions: PractitionerSessions
  seriesOfSessions: SeriesOfSessions
}

/** The session's page. It stands on bookings, chat, reviews and help right now, and writes nothing of its own. */
export const sessionsModule = defineModule('sessions', (given: Given<Needs>) => {
  const sessions = createSessions(given)
  return {
    services: { sessions },
    routes: (serve) => sessionRoutes(serve, sessions),
    on: {
      'session.changed': (tx, { appointmentId }) => sessions.noteChange(tx, [appointmentId]),
      'sessions.reserved': (tx, { sessions: reserved }) =>
        sessions.noteChange(
          tx,
          reserved.map(({ appointmentId }) => appointmentId),
        ),
    },
  }
})
