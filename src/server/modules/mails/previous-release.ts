import type { Queue } from '../../jobs/queue.ts'
import { defineJob } from '../../jobs/queue.ts'
import type { Mails } from './mails.service.ts'

/*
 * For one release. Instances of the release before keep mails in tables of their own, and enqueue jobs of other kinds.
 * Triggers copy each row to `outgoing_mails` and back under the same id, so either release finds what the other has
 * claimed and settled. The next release deletes this file, the jobs, the triggers and the tables.
 */

/** Tables of the release before that refer to an account. */
export const previousTables = ['session_mails']

/** About a day and a half, because a mail server may be unavailable for long. */
const bookingsMailJob = defineJob<{ mail_id: string }>('bookings.mail', {
  retryLimit: 45,
  retryDelay: 5,
  retryDelayMax: 3600,
  workers: 8,
})

/** Registers the jobs of the release before that name a row. */
export function handlePreviousJobs(handle: Queue['handle'], { send }: Mails): void {
  handle(bookingsMailJob, ({ mail_id }) => send(mail_id))
}
