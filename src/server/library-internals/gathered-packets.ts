import type { Duplex } from 'node:stream'

/** A connection of engine.io. `flush` hands the packets that wait to the network, each by a write of its own. */
type Connection = { flush?: () => void }

export type GatheredPackets = {
  /** Has what a connection is sent in one turn of the event loop go out in one write. */
  gather(connection: object, line: Duplex): void
  /** Sends what was gathered at once. */
  flush(): void
}

/**
 * Gathers the packets of each connection until all that the turn of the event loop has brought about is done: who
 * writes while the other one does too is then sent an acknowledgement and a message by one call of the system. Under
 * load these calls are the dearest part of a message.
 */
export function gatheredPackets(): GatheredPackets {
  const waiting = new Map<Connection, () => void>()
  let isDue = false

  function flush(): void {
    const flushes = [...waiting.values()]
    waiting.clear()
    for (const each of flushes) each()
  }

  return {
    gather(connection: Connection, line): void {
      const { flush: flushNow } = connection
      // Of a release that does it in another way, packets go out as they come.
      if (typeof flushNow !== 'function') return
      const together = () => {
        line.cork()
        flushNow.call(connection)
        line.uncork()
      }
      connection.flush = () => {
        waiting.set(connection, together)
        if (isDue) return
        isDue = true
        // After all promises that are settled in this turn, and those that follow from them.
        queueMicrotask(() =>
          process.nextTick(() => {
            isDue = false
            flush()
          }),
        )
      }
    },
    flush,
  }
}
