import type { EventBus } from '../../events.ts'
import type { Queue } from '../../jobs/queue.ts'
import type { BackOffice } from './back-office.service.ts'
import type { LateReturnsAlarm } from './late-returns.service.ts'

export function backOfficeJobs(queue: Queue, alarm: LateReturnsAlarm): void {
  queue.handle('back-office.sweep', () => alarm.sweep())
  queue.handle('back-office.late-returns', () => alarm.send())
}

/** What admins do elsewhere is written down with the rest. */
export function backOfficeSubscriptions(events: EventBus, backOffice: BackOffice): void {
  events.on('admin.acted', (tx, { accountId, action, subject }) =>
    backOffice.note(tx, accountId, { action, subject }),
  )
}
