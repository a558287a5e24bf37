import type { Tx } from '../../db/connection.ts'
import { afterCommit } from '../../db/transaction.ts'
import type { Live } from '../../integrations/live/port.ts'

export type HelpNews = ReturnType<typeof createHelpNews>

/** Telling the open pages of those concerned that a search has moved, once the change has been committed. */
export function createHelpNews({ live }: { live: Live }) {
  return {
    /** Somebody is asked. */
    offered(tx: Tx, dispatchId: string, accountId: string): void {
      afterCommit(tx, () => live.tell([accountId], { type: 'instant.offer', dispatch_id: dispatchId }))
    },

    changed(tx: Tx, dispatchId: string, accountIds: string[]): void {
      afterCommit(tx, () => live.tell(accountIds, { type: 'instant.changed', dispatch_id: dispatchId }))
    },
  }
}
