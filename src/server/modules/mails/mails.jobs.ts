import { defineJob } from '../../jobs/queue.ts'

/** About a day and a half, because a mail server may be unavailable for long. */
export const mailSendJob = defineJob<{ mail_id: string }>('mail.send', {
  retryLimit: 45,
  retryDelayMax: 3600,
  workers: 8,
})
