import type { Carried, ServerEvents } from '#contract/chat/chat.ts'
import type { Notice } from '#contract/chat/live.ts'

/** An open socket of somebody, on this instance. Neither call may throw or wait. */
export type Connection = {
  id: string
  accountId: string
  deliver<E extends keyof ServerEvents>(event: E, carried: Carried<E>): void
  /** Looks again whether its sign-in still holds, and ends it if not. */
  recheck(): void
}

/**
 * Tells people what happens while it happens, on whichever instance their sockets are. Whatever it carries may be lost:
 * it is called after the commit (`afterCommit`), never waits and never fails, and nothing may depend on it. What matters
 * is in the database, and read again after each connection.
 */
export type Live = {
  /** Sends an event to every open socket of these accounts, but for the one whose own doing it is. */
  send<E extends keyof ServerEvents>(
    accountIds: readonly string[],
    event: E,
    carried: Carried<E>,
    options?: { except?: string | undefined },
  ): void
  /** Sends a hint to every open socket of these accounts. */
  tell(accountIds: readonly string[], notice: Notice): void
  /** Has every open socket of an account look again whether its sign-in still holds. */
  recheck(accountId: string): void
  /** Whether an account has an open socket on any instance that can be asked. */
  isOnline(accountId: string): Promise<boolean>
  /** Takes a new socket in; what it gives back takes it out again. */
  join(connection: Connection): () => void
  close(): Promise<void>
}
