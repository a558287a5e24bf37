import { defineJob } from '../../jobs/queue.ts'

export const chatUnreadSweepJob = defineJob('chat.unread-sweep', { every: '* * * * *' })
