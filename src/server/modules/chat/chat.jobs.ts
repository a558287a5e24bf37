import { defineJob } from '../../jobs/queue.ts'

export const chatUnreadSweepJob = defineJob('chat.unread-sweep', {
  retryLimit: 3,
  retryDelay: 5,
  retryDelayMax: 60,
  every: '* * * * *',
})
export const chatUnreadMailJob = defineJob<{ dialog_id: string; account_id: string }>('chat.unread-mail', {
  retryLimit: 10,
  retryDelay: 5,
  retryDelayMax: 900,
  workers: 4,
})
