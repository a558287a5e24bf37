import type { EventBus } from '../../events.ts'
import type { Queue } from '../../jobs/queue.ts'
import type { AuditChain } from './audit-chain.service.ts'
import type { BackOffice } from './back-office.service.ts'
import type { IncidentAlarm } from './incidents.service.ts'
import type { LateReturnsAlarm } from './late-returns.service.ts'
import type { VettingLapses } from './vetting-lapses.service.ts'

export function backOfficeJobs(
  queue: Queue,
  alarm: LateReturnsAlarm,
  chain: AuditChain,
  incidents: IncidentAlarm,
  lapses: VettingLapses,
): void {
  queue.handle('back-office.audit-check', () => chain.check())
  queue.handle('back-office.incident', ({ incident_id }) => incidents.send(incident_id))
  queue.handle('back-office.sweep', async () => {
    await alarm.sweep()
    await lapses.sweep()
  })
  queue.handle('back-office.vetting-lapse', ({ practitioner_id, lapses_at }) =>
    lapses.send(practitioner_id, lapses_at),
  )
  queue.handle('back-office.late-returns', () => alarm.send())
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
