import { defineJob } from '../../jobs/queue.ts'

export const seriesSweepJob = defineJob('series.sweep', {
  retryDelay: 30,
  retryDelayMax: 600,
  every: '7 * * * *',
})
/** Makes the dates of one series that are missing. */
export const seriesExtendJob = defineJob<{ series_id: string }>('series.extend', {
  retryLimit: 10,
  retryDelayMax: 600,
})
