import type { EventBus } from '../../events.ts'
import { defineJob, type Queue } from '../../jobs/queue.ts'
import type { AuditChain } from './audit-chain.service.ts'
import type { BackOffice } from './back-office.service.ts'
import type { IncidentAlarm } from './incidents.service.ts'
import type { LateReturnsAlarm } from './late-returns.service.ts'
import type { VettingLapses } from './vetting-lapses.service.ts'

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

export function backOfficeJobs(
  queue: Queue,
  alarm: LateReturnsAlarm,
  chain: AuditChain,
  incidents: IncidentAlarm,
  lapses: VettingLapses,
): void {
  queue.handle(backOfficeAuditCheckJob, () => chain.check())
  queue.handle(backOfficeIncidentJob, ({ incident_id }) => incidents.send(incident_id))
  queue.handle(backOfficeSweepJob, async () => {
    await alarm.sweep()
    await lapses.sweep()
  })
  queue.handle(backOfficeVettingLapseJob, ({ practitioner_id, lapses_at }) =>
    lapses.send(practitioner_id, lapses_at),
  )
  queue.handle(backOfficeLateReturnsJob, () => alarm.send())
}

/** What admins do elsewhere is written down with the rest; the office is written to of what happened at the gateway. */
export function backOfficeSubscriptions(
  events: EventBus,
  backOffice: BackOffice,
  incidents: IncidentAlarm,
): void {
  events.on('payment.incident', (tx, { incidentId }) => incidents.note(tx, incidentId))
  auditSubscriptions(events, backOffice)
}

export function auditSubscriptions(events: EventBus, backOffice: Pick<BackOffice, 'note'>): void {
  events.on('admin.acted', (tx, { action, subject, ...actor }) =>
    backOffice.note(tx, actor, { action, subject }),
  )
}
