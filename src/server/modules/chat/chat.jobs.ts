import { defineJob } from '../../jobs/queue.ts'

export const chatUnreadSweepJob = defineJob('chat.unread-sweep', {
  retryLimit: 3,
  retryDelay: 5,
  retryDelayMax: 60,
  every: '* * * * *',
})
