import type { EventBus } from '../../events.ts'
import type { Schedules } from './schedule.service.ts'

/** Before those who read free time: a practitioner may have moved to another zone. */
export function availabilitySubscriptions(events: EventBus, schedules: Schedules): void {
  events.on('practitioner.changed', (tx, { practitionerId }) => schedules.followZone(tx, practitionerId))
}
