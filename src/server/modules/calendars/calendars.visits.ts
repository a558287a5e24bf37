import type { Tx } from '../../db/connection.ts'
import type { Queue } from '../../jobs/queue.ts'
import { calendarsSyncJob } from './calendars.jobs.ts'

/**
 * Enqueues a visit of a calendar, unless one waits already.
 * @param isUrgent before those that a sweep has enqueued, which may be many
 */
export function enqueueVisit(
  queue: Queue,
  tx: Tx,
  calendar: string,
  { isUrgent = false }: { isUrgent?: boolean } = {},
): Promise<void> {
  return queue.enqueue(tx, calendarsSyncJob, { calendar }, { singletonKey: calendar, isUrgent })
}
