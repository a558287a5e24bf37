import { defineJob, type Queue } from '../../jobs/queue.ts'
import type { Mails } from './mails.service.ts'

/*
 * For one release. Instances of the release before keep mails in tables of their own, and enqueue jobs of other kinds.
 * Triggers copy each row to `outgoing_mails` and back under the same id, so either release finds what the other has
 * claimed and settled. The next release deletes this file, the jobs, the triggers and the tables.
 */

/** Tables of the release before that refer to an account. */
export const previousTables = ['session_mails', 'help_mails', 'account_letters']

const job = (name: string, retryLimit = 45) =>
  defineJob<{ mail_id: string }>(name, { retryLimit, retryDelay: 5, retryDelayMax: 3600 })
const jobs = [
  job('bookings.mail'),
  job('get-help.mail', 20),
  job('subscriptions.mail'),
  job('subscriptions.video-mail'),
]

/** Registers the jobs of the release before that name a row. */
const letterJob = (name: string, retryLimit: number) =>
  defineJob<{ letter_id: string }>(name, { retryLimit, retryDelay: 5, retryDelayMax: 900 })
const letterJobs = [letterJob('accounts.letter', 8), letterJob('practitioners.vetting-letter', 45)]

export function handlePreviousJobs(handle: Queue['handle'], { send }: Mails): void {
  for (const kind of jobs) handle(kind, ({ mail_id }) => send(mail_id))
  for (const kind of letterJobs) handle(kind, ({ letter_id }) => send(letter_id))
}
