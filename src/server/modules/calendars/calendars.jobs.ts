import { defineJob } from '../../jobs/queue.ts'

export const calendarsSweepJob = defineJob('calendars.sweep', {
  retryLimit: 3,
  retryDelay: 5,
  retryDelayMax: 60,
  every: '* * * * *',
})
/** The sweep asks again when it is time. */
export const calendarsVisitJob = defineJob<{ calendar: string }>('calendars.visit', {
  retryLimit: 0,
  retryDelay: 5,
  retryDelayMax: 60,
  workers: 4,
})
