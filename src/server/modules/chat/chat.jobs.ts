import { defineJob } from '../../jobs/queue.ts'

export const chatUnreadSweepJob = defineJob('chat.unread-sweep', {
  retryLimit: 3,
  retryDelay: 5,
  retryDelayMax: 60,
  every: '* * * * *',
})
/** For one release: the release before enqueues it. It goes with mails/previous-release.ts. */
export const previousUnreadMailJob = defineJob<{ dialog_id: string; account_id: string }>(
  'chat.unread-mail',
  {
    retryLimit: 10,
    retryDelay: 5,
    retryDelayMax: 900,
    workers: 4,
  },
)
