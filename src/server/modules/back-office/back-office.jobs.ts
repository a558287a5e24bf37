import type { EventBus } from '../../events.ts'
import type { BackOffice } from './back-office.service.ts'

/** What admins do elsewhere is written down with the rest. */
export function backOfficeSubscriptions(events: EventBus, backOffice: BackOffice): void {
  events.on('admin.acted', (tx, { accountId, action, subject }) =>
    backOffice.note(tx, accountId, { action, subject }),
  )
}
