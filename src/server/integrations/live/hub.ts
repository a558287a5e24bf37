import type { Carried, ServerEvents } from '#contract/chat/chat.ts'
import type { Connection } from './port.ts'

/** One broadcast between instances. */
export type Broadcast =
  | {
      kind: 'event'
      accountIds: readonly string[]
      event: keyof ServerEvents
      carried: Carried<keyof ServerEvents>
      except?: string | undefined
    }
  | { kind: 'recheck'; accountIds: readonly string[] }

export type Hub = ReturnType<typeof createHub>

/** The open sockets of this instance, by account. */
export function createHub() {
  const byAccount = new Map<string, Set<Connection>>()

  return {
    /** True when it is the account's first. */
    add(connection: Connection): boolean {
      const present = byAccount.get(connection.accountId)
      if (present) present.add(connection)
      else byAccount.set(connection.accountId, new Set([connection]))
      return !present
    },

    /** True when it was the account's last. */
    remove(connection: Connection): boolean {
      const present = byAccount.get(connection.accountId)
      if (!present?.delete(connection) || present.size > 0) return false
      return byAccount.delete(connection.accountId)
    },

    has: (accountId: string) => byAccount.has(accountId),
    accounts: () => [...byAccount.keys()],
    everybody: () => [...byAccount.values()].flatMap((connections) => [...connections]),

    spread(broadcast: Broadcast): void {
      for (const accountId of new Set(broadcast.accountIds)) {
        for (const connection of byAccount.get(accountId) ?? []) {
          if (broadcast.kind === 'recheck') connection.recheck()
          else if (connection.id !== broadcast.except) connection.deliver(broadcast.event, broadcast.carried)
        }
      }
    },
  }
}
