import { defineJob } from '../../jobs/queue.ts'

/** A practitioner may no longer be available: their open request then goes to the next one. */
export const getHelpPassOnJob = defineJob<{ practitioner_id: number }>('get-help.pass-on')

export const getHelpSweepJob = defineJob('get-help.sweep', { every: '* * * * *' })
