import { defineJob, type Queue } from '../../jobs/queue.ts'
import type { Accounts } from './accounts.service.ts'

/** Null where no account has the address: the same work is done either way. */
export const accountsPasswordMailJob = defineJob<{ account_id: string | null }>('accounts.password-mail', {
  retryLimit: 8,
  retryDelay: 5,
  retryDelayMax: 900,
})
export const accountsWelcomeMailJob = defineJob<{ account_id: string }>('accounts.welcome-mail', {
  retryLimit: 8,
  retryDelay: 5,
  retryDelayMax: 900,
})
export const accountsConfirmationMailJob = defineJob<{ account_id: string }>('accounts.confirmation-mail', {
  retryLimit: 8,
  retryDelay: 5,
  retryDelayMax: 900,
})
export const accountsPasswordChangedMailJob = defineJob<{ account_id: string }>(
  'accounts.password-changed-mail',
  { retryLimit: 8, retryDelay: 5, retryDelayMax: 900 },
)
export const accountsLetterJob = defineJob<{ letter_id: string }>('accounts.letter', {
  retryLimit: 8,
  retryDelay: 5,
  retryDelayMax: 900,
})

export function accountJobs(queue: Queue, accounts: Accounts): void {
  queue.handle(accountsPasswordMailJob, ({ account_id }) => accounts.sendPasswordMail(account_id))
  queue.handle(accountsWelcomeMailJob, ({ account_id }) => accounts.sendWelcomeMail(account_id))
  queue.handle(accountsConfirmationMailJob, ({ account_id }) => accounts.sendConfirmationMail(account_id))
  queue.handle(accountsPasswordChangedMailJob, ({ account_id }) =>
    accounts.sendPasswordChangedMail(account_id),
  )
  queue.handle(accountsLetterJob, ({ letter_id }) => accounts.sendLetter(letter_id))
}
