import { defineJob } from '../../jobs/queue.ts'

/** A practitioner has switched off: their open request goes to the next one. */
export const getHelpPassOnJob = defineJob<{ practitioner_id: number }>('get-help.pass-on', {
  retryLimit: 3,
  retryDelay: 5,
  retryDelayMax: 60,
})

export const getHelpSweepJob = defineJob('get-help.sweep', {
  retryLimit: 3,
  retryDelay: 5,
  retryDelayMax: 60,
  every: '* * * * *',
})
