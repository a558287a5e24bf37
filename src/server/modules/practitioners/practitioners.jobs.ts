import { defineJob } from '../../jobs/queue.ts'

export const practitionersRemindersJob = defineJob('practitioners.reminders', {
  retryDelay: 60,
  retryDelayMax: 600,
  every: '7 * * * *',
})
