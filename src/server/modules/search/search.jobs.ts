import { defineJob } from '../../jobs/queue.ts'

export const searchRefreshJob = defineJob('search.refresh', {
  retryLimit: 3,
  retryDelay: 5,
  retryDelayMax: 60,
  every: '* * * * *',
})
