import { defineJob } from '../../jobs/queue.ts'

/*
 * For one release: the release before enqueues these. They go with mails/previous-release.ts.
 */

const settings = { retryLimit: 8, retryDelay: 5, retryDelayMax: 900 }
export const previousPasswordMailJob = defineJob<{ account_id: string | null }>(
  'accounts.password-mail',
  settings,
)
export const previousWelcomeMailJob = defineJob<{ account_id: string }>('accounts.welcome-mail', settings)
export const previousPasswordChangedMailJob = defineJob<{ account_id: string }>(
  'accounts.password-changed-mail',
  settings,
)
