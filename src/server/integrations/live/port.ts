import type { Carried, ServerEvents } from '#contract/chat/chat.ts'
import type { LiveEvent } from '#contract/chat/live.ts'

/** An open socket of an account, on this instance. Neither call may throw or wait. */
export type Connection = {
  id: string
  accountId: string
  deliver<E extends keyof ServerEvents>(event: E, carried: Carried<E>): void
  /** Disconnects the socket if its sign-in session has ended. */
  recheck(): void
}

/** An event to every open socket of these accounts except `except`, the socket that caused it. */
export type Sending<E extends keyof ServerEvents = keyof ServerEvents> = {
  accountIds: readonly string[]
  event: E
  carried: Carried<E>
  except?: string | undefined
}

/**
 * Sends live events to the sockets of accounts, on all instances. Calls come after the commit (`afterCommit`), never
 * wait and never fail. Any event may be lost, so nothing may depend on it: browsers read the current state from the
 * database after each connection.
 */
export type Live = {
  /** Sends an event to every open socket of these accounts except `except`, the socket that caused it. */
  send<E extends keyof ServerEvents>(
    accountIds: readonly string[],
    event: E,
    carried: Carried<E>,
    options?: { except?: string | undefined },
  ): void
  /** Sends several events of one kind in their order, by one broadcast to the other instances. */
  sendAll<E extends keyof ServerEvents>(events: readonly Sending<E>[]): void
  /** Sends a hint to every open socket of these accounts. */
  tell(accountIds: readonly string[], event: LiveEvent): void
  /**
   * Calls `hear` with every hint that reaches this instance, before any socket has it; with those of this instance before
   * `tell` returns. `hear` may neither throw nor wait.
   */
  onNotice(hear: (event: LiveEvent) => void): void
  /** Whether what other instances send arrives here, as far as is known. */
  hearsOthers(): boolean
  /** Disconnects the open sockets of an account whose sign-in session has ended. */
  recheck(accountId: string): void
  /** Whether an account has an open socket on any instance that can be asked. */
  isOnline(accountId: string): Promise<boolean>
  /** Registers a new socket. Returns the function that removes it. */
  join(connection: Connection): () => void
  close(): Promise<void>
}
