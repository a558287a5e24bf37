import type { Tx } from '../../db/connection.ts'
import type { Queue } from '../../jobs/queue.ts'
import { calendarsSyncJob } from './calendars.jobs.ts'

/** Enqueues a visit of a calendar, unless one waits already. */
export function enqueueVisit(queue: Queue, tx: Tx, calendar: string): Promise<void> {
  return queue.enqueue(tx, calendarsSyncJob, { calendar }, { singletonKey: calendar })
}
