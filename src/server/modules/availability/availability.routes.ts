import type { Serve } from '../../http/serve.ts'
import { JsonText } from '../../json-text.ts'
import type { Availability } from './availability.service.ts'
import type { Schedules } from './schedule.service.ts'

export function availabilityRoutes(serve: Serve, availability: Availability, schedules: Schedules): void {
  serve('GET /practitioner/{id}/next-available-sessions', async ({ params, query }) =>
    JsonText.of(await availability.nextSessions(params.id, query)),
  )
  serve('POST /therapist/setup-schedule', ({ caller, body }) => schedules.save(caller, body))
  serve('GET /therapist/get-calendar', ({ caller }) => schedules.calendar(caller))
  serve('PUT /therapist/booking-rules', ({ caller, body }) => schedules.setRules(caller, body))
  serve('GET /therapist/time-off', ({ caller }) => schedules.timeOff(caller))
  serve('POST /therapist/time-off', ({ caller, body }) => schedules.takeTimeOff(caller, body))
  serve('DELETE /therapist/time-off/{id}', ({ caller, params }) => schedules.endTimeOff(caller, params.id))
  serve('GET /therapist/available-now', ({ caller }) => schedules.availableNow(caller))
  serve('PUT /therapist/available-now', ({ caller, body }) => schedules.setAvailableNow(caller, body))
}
