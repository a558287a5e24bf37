import { defineJob } from '../../jobs/queue.ts'

export const practitionersVettingLetterJob = defineJob<{ letter_id: string }>(
  'practitioners.vetting-letter',
  { retryLimit: 45, retryDelay: 5, retryDelayMax: 3600 },
)
export const practitionersRemindersJob = defineJob('practitioners.reminders', {
  retryLimit: 3,
  retryDelay: 60,
  retryDelayMax: 600,
  every: '7 * * * *',
})
