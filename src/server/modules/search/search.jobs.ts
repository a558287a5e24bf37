import type { EventBus } from '../../events.ts'
import type { Queue } from '../../jobs/queue.ts'
import type { Search } from './search.service.ts'

export function searchJobs(queue: Queue, search: Search): void {
  queue.handle('search.refresh', () => search.refresh())
}

/** Keeps the rows of the search right within the transaction of whatever changes them. */
export function searchSubscriptions(events: EventBus, search: Search): void {
  events.on('practitioner.changed', (tx, { practitionerId }) => search.project(tx, practitionerId))
  events.on('availability.changed', (tx, { practitionerId }) => search.projectFreeTime(tx, practitionerId))
}
