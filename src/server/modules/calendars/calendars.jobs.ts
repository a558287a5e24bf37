import { defineJob } from '../../jobs/queue.ts'

export const calendarsSweepJob = defineJob('calendars.sweep', { every: '* * * * *' })
/** The sweep asks again when it is time. */
export const calendarsSyncJob = defineJob<{ calendar: string }>('calendars.sync', {
  retryLimit: 0,
  workers: 4,
  isSingleton: true,
})
