import { onNews } from '#web/lib/live.ts'

/** Milliseconds between two looks at what is waited for: while live events come, only for those that were lost. */
export const lookEvery = { connected: 30_000, alone: 10_000 }

/**
 * Calls `look` when a live event says that a search for help or its session has changed or a practitioner is asked, and
 * after each connection, because live events may be lost. Returns the unsubscribe function.
 */
export function onHelpNews(look: () => void): () => void {
  return onNews(['instant.offer', 'instant.changed', 'session.changed'], look)
}
