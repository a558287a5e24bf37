import { defineModule, type Given } from '../../module.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import { availabilityRoutes } from './availability.routes.ts'
import { createAvailability } from './availability.service.ts'
import { createSchedules } from './schedule.service.ts'
import { hasSchedule } from './schedule.store.ts'

export const availabilityModule = defineModule(
  'availability',
  (given: Given<{ practitioners: Practitioners }>) => {
    const availability = createAvailability(given)
    const schedules = createSchedules(given)
    return {
      services: { availability, schedules },
      routes: (serve) => availabilityRoutes(serve, availability, schedules),
      on: {
        'practitioner.left-places': (tx, { practitionerId, locationIds }) =>
          schedules.leavePlaces(tx, practitionerId, locationIds),
        // Before the search reads free time: the practitioner may have moved to another zone.
        'practitioner.changed': (tx, { practitionerId }) => schedules.followZone(tx, practitionerId),
      },
      lookups: { weeklyHours: schedules.weeklyHours },
      dashboard: {
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
      },
    }
  },
)
