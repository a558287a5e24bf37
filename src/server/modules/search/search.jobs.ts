import type { EventBus } from '../../events.ts'
import { defineJob, type Queue } from '../../jobs/queue.ts'
import type { Search } from './search.service.ts'

export const searchRefreshJob = defineJob('search.refresh', {
  retryLimit: 3,
  retryDelay: 5,
  retryDelayMax: 60,
  every: '* * * * *',
})

export function searchJobs(queue: Queue, search: Search): void {
  queue.handle(searchRefreshJob, () => search.refresh())
}

/** Keeps the rows of the search right within the transaction of whatever changes them. */
export function searchSubscriptions(events: EventBus, search: Search): void {
  events.on('practitioner.changed', (tx, { practitionerId }) => search.project(tx, practitionerId))
  events.on('availability.changed', (tx, { practitionerId }) => search.projectFreeTime(tx, practitionerId))
}
