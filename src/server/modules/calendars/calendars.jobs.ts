import { defineJob } from '../../jobs/queue.ts'

export const calendarsSweepJob = defineJob('calendars.sweep', { every: '* * * * *' })
/** The sweep asks again when it is time. */
export const calendarsVisitJob = defineJob<{ calendar: string }>('calendars.visit', {
  retryLimit: 0,
  workers: 4,
})
