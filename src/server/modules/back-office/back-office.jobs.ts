import { defineJob } from '../../jobs/queue.ts'

export const backOfficeSweepJob = defineJob('back-office.sweep', { every: '*/5 * * * *' })
export const backOfficeAuditCheckJob = defineJob('back-office.audit-check', {
  retryLimit: 12,
  retryDelay: 60,
  retryDelayMax: 3600,
  every: '41 3 * * *',
})
