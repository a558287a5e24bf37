import { defineModule, type Given } from '../../module.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import { availabilityRoutes } from './availability.routes.ts'
import { createAvailability } from './availability.service.ts'
import { createSchedules } from './schedule.service.ts'

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
          const fit = await schedules.fitOf(db, id)
          return fit === 'fits' ? [] : [{ code: 'schedule_empty', urgency: 'now', due: null, ...tasks[fit] }]
        },
      },
    }
  },
)

const tasks = {
  'no hours': {
    title: 'Say when you work',
    message: 'Your weekly schedule is empty, so nobody can book a session yet.',
    action: { label: 'Set your schedule', path: '/therapist/calendar' },
  },
  'no session fits': {
    title: 'Make room for your sessions',
    message:
      'No session that you offer fits into the hours of your weekly schedule, so clients cannot book any. Offer one that does, or save more hours in a row.',
    action: { label: 'Change your schedule', path: '/therapist/calendar' },
  },
}
