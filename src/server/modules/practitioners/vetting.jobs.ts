import { defineJob, type Queue } from '../../jobs/queue.ts'
import type { Vetting } from './vetting.service.ts'

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

export function vettingJobs(queue: Queue, vetting: Vetting): void {
  queue.handle(practitionersVettingLetterJob, ({ letter_id }) => vetting.sendLetter(letter_id))
  queue.handle(practitionersRemindersJob, () => vetting.remind())
}
