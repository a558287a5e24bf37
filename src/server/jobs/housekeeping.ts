import { defineJob } from './queue.ts'

/** Deletes what modules no longer need. */
export const housekeepingJob = defineJob('housekeeping', {
  retryLimit: 3,
  retryDelay: 60,
  retryDelayMax: 600,
  every: '17 * * * *',
})
