import { defineJob } from '../../jobs/queue.ts'

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
