import { defineJob } from '../../jobs/queue.ts'

export const getHelpSweepJob = defineJob('get-help.sweep', {
  retryLimit: 3,
  retryDelay: 5,
  retryDelayMax: 60,
  every: '* * * * *',
})
