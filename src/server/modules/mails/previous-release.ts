import { defineJob, type Queue } from '../../jobs/queue.ts'

/*
 * For one release. Instances of the release before keep mails in tables of their own, and enqueue jobs of other kinds.
 * Triggers copy each row to `outgoing_mails` and back under the same id, so either release finds what the other has
 * claimed and settled. The next release deletes this file and every `mails.previous.on`, and, by a migration, the
 * triggers, functions and views named `…copy…`, `…_copied`, `…_as_outgoing`, `outgoing_mails_to_…` and the tables
 * `session_mails`, `help_mails`, `subscription_mails`, `account_letters`, `vetting_letters`, `chat_unread_mails`.
 */

/** Tables of the release before that refer to a client's account. */
export const previousTables = ['session_mails', 'help_mails', 'account_letters', 'chat_unread_mails']

/** Jobs of the release before that name a row, which is in the outbox under the same id. */
const rowJobs = [
  'bookings.mail',
  'get-help.mail',
  'subscriptions.mail',
  'subscriptions.video-mail',
  'accounts.letter',
  'practitioners.vetting-letter',
]

/** Other jobs of the release before, with their payload. Each is handled by enqueuing its mail. */
type PreviousJobs = {
  'accounts.password-mail': { account_id: string | null }
  'accounts.welcome-mail': { account_id: string }
  'accounts.password-changed-mail': { account_id: string }
  'subscriptions.video-ordered': { practitioner_id: number }
  'calendars.ended-mail': { calendar: string }
  'chat.unread-mail': { dialog_id: string; account_id: string }
  'back-office.late-returns': object
}

export function createPreviousJobs(send: (mailId: string) => Promise<void>) {
  const handlers = new Map<string, (data: never) => Promise<void>>()
  const sendRow = (row: { mail_id: string } | { letter_id: string }) =>
    send('mail_id' in row ? row.mail_id : row.letter_id)
  for (const name of rowJobs) handlers.set(name, sendRow)

  return {
    on<N extends keyof PreviousJobs>(name: N, handler: (data: PreviousJobs[N]) => Promise<void>): void {
      handlers.set(name, handler)
    },
    register(handle: Queue['handle']): void {
      for (const [name, handler] of handlers) {
        handle(defineJob<never>(name, { retryLimit: 45, retryDelay: 5, retryDelayMax: 3600 }), handler)
      }
    },
  }
}
