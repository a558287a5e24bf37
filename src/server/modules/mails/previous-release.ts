import { defineJob, type Queue } from '../../jobs/queue.ts'
import type { Mails } from './mails.service.ts'

/*
 * For one release. Instances of the release before keep mails in tables of their own, and enqueue jobs of other kinds.
 * Triggers copy each row to `outgoing_mails` and back under the same id, so either release finds what the other has
 * claimed and settled. The next release deletes this file, the jobs named `previous…`, and, by a migration, the
 * triggers, functions and views named `…copy…`, `…_copied`, `…_as_outgoing`, `outgoing_mails_to_…` and the tables
 * `session_mails`, `help_mails`, `subscription_mails`, `account_letters`, `vetting_letters`, `chat_unread_mails`.
 */

/** Tables of the release before that refer to a client's account. */
export const previousTables = ['session_mails', 'help_mails', 'account_letters', 'chat_unread_mails']

/** Jobs of the release before that name a row, which is in the outbox under the same id. */
const jobs = (
  [
    ['bookings.mail', 45, 3600],
    ['get-help.mail', 20, 3600],
    ['subscriptions.mail', 45, 3600],
    ['subscriptions.video-mail', 45, 3600],
    ['accounts.letter', 8, 900],
    ['practitioners.vetting-letter', 45, 3600],
  ] as const
).map(([name, retryLimit, retryDelayMax]) =>
  defineJob<{ mail_id: string } | { letter_id: string }>(name, { retryLimit, retryDelay: 5, retryDelayMax }),
)

export function handlePreviousJobs(handle: Queue['handle'], { send }: Mails): void {
  for (const job of jobs) handle(job, (data) => send('mail_id' in data ? data.mail_id : data.letter_id))
}
