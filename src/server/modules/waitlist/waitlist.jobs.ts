import { defineJob } from '../../jobs/queue.ts'

/** Matches what has come free since the last look. */
export const waitlistMatchJob = defineJob<{ practitioner_id: number }>('waitlist.match', {
  isSingleton: true,
})
/** Offers a time whose offer has ended to the next client, and withdraws offers that time off covers. */
export const waitlistNextJob = defineJob<{ practitioner_id: number }>('waitlist.next', { isSingleton: true })
export const waitlistSweepJob = defineJob('waitlist.sweep', { every: '* * * * *' })
