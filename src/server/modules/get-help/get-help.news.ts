import type { Tx } from '../../db/connection.ts'
import { afterCommit } from '../../db/transaction.ts'
import { sessionPath } from '../../integrations/mail/format.ts'
import type { Live } from '../../integrations/live/port.ts'
import type { Notifications } from '../notifications/notifications.service.ts'

export type HelpNews = ReturnType<typeof createHelpNews>

type Dependencies = { live: Live; notifications: Pick<Notifications, 'notify'> }

/** Telling the open pages of those concerned that a search has moved, once the change has been committed. */
export function createHelpNews({ live, notifications }: Dependencies) {
  return {
    /** Notifies a practitioner of a request: by a live event where the product is open, else on their devices. */
    async offered(tx: Tx, dispatchId: string, accountId: string): Promise<void> {
      await notifications.notify(tx, [accountId], { kind: 'instant-offer', path: '/therapist/dashboard' })
      afterCommit(tx, () => live.tell([accountId], { type: 'instant.offer', dispatch_id: dispatchId }))
    },

    /** Notifies the client on their devices that their session has begun: they may have left the page meanwhile. */
    async began(tx: Tx, dispatchId: string, clientId: string): Promise<void> {
      await notifications.notify(tx, [clientId], { kind: 'session-begins', path: sessionPath(dispatchId) })
    },

    /** Notifies the client on their devices that the search has found no practitioner. */
    async endedWithNobody(tx: Tx, dispatchId: string, clientId: string): Promise<void> {
      const path = `/get-help/session-is-booked?session=${dispatchId}`
      await notifications.notify(tx, [clientId], { kind: 'session', path })
    },

    changed(tx: Tx, dispatchId: string, accountIds: string[]): void {
      afterCommit(tx, () => live.tell(accountIds, { type: 'instant.changed', dispatch_id: dispatchId }))
    },
  }
}
