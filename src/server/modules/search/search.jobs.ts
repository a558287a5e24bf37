import { defineJob } from '../../jobs/queue.ts'

export const searchRefreshJob = defineJob('search.refresh', { every: '* * * * *' })
