import { defineJob } from '../../jobs/queue.ts'

export const backOfficeSweepJob = defineJob('back-office.sweep', {
  retryLimit: 3,
  retryDelay: 5,
  retryDelayMax: 60,
  every: '*/5 * * * *',
})
export const backOfficeLateReturnsJob = defineJob('back-office.late-returns', {
  retryLimit: 45,
  retryDelay: 5,
  retryDelayMax: 3600,
})
export const backOfficeAuditCheckJob = defineJob('back-office.audit-check', {
  retryLimit: 12,
  retryDelay: 60,
  retryDelayMax: 3600,
  every: '41 3 * * *',
})
export const backOfficeIncidentJob = defineJob<{ incident_id: string }>('back-office.incident', {
  retryLimit: 45,
  retryDelay: 5,
  retryDelayMax: 3600,
})
export const backOfficeVettingLapseJob = defineJob<{ practitioner_id: number; lapses_at: string }>(
  'back-office.vetting-lapse',
  { retryLimit: 45, retryDelay: 5, retryDelayMax: 3600 },
)
