import type { EventBus } from '../../events.ts'
import type { Schedules } from './schedule.service.ts'

/** Before those who read free time: a practitioner may have moved to another zone, or given places up. */
export function availabilitySubscriptions(events: EventBus, schedules: Schedules): void {
  events.on('practitioner.left-places', (tx, { practitionerId, locationIds }) =>
    schedules.leavePlaces(tx, practitionerId, locationIds),
  )
  events.on('practitioner.changed', (tx, { practitionerId }) => schedules.followZone(tx, practitionerId))
}
