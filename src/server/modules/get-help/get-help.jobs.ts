import { defineJob } from '../../jobs/queue.ts'

export const getHelpSweepJob = defineJob('get-help.sweep', {
  retryLimit: 3,
  retryDelay: 5,
  retryDelayMax: 60,
  every: '* * * * *',
})
/** Told later than that, being asked is no news any more. */
export const getHelpMailJob = defineJob<{ mail_id: string }>('get-help.mail', {
  retryLimit: 20,
  retryDelay: 5,
  retryDelayMax: 3600,
  workers: 4,
})
