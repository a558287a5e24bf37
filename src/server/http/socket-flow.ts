import type { Duplex } from 'node:stream'
import { type Clock, seconds } from '../clock.ts'

/** A connection of socket.io, and the network connection that it writes to. */
type Connection = {
  conn: {
    on(event: 'packetCreate', listener: (packet: { data?: unknown }) => void): unknown
    on(event: 'drain', listener: () => void): unknown
  }
  line: Duplex | undefined
}

/** How many bytes, roughly, may wait for a slow reader. After it reconnects, it requests the messages it missed. */
const maxWaitingBytes = 256 * 1024
/** The limit of events per connection: a burst, and a rate per second. */
const burst = 200
const perSecond = 40
/** How many messages of one connection may be on their way. */
const maxUnderWay = 100
const typingEvery = seconds(2)

/** Limits the events from a connection, and the bytes that wait for it. */
export function createFlow(
  { conn, line }: Connection,
  { clock, rateLimitScale }: { clock: Clock; rateLimitScale: number },
) {
  let room = burst * rateLimitScale
  let counted = clock.now().getTime()
  let underWay = 0
  let lastTyping = { dialogId: '', at: 0 }
  /** Bytes, roughly, of packets that were not handed to the network connection yet. */
  let unwritten = 0
  conn.on('packetCreate', ({ data }) => (unwritten += typeof data === 'string' ? data.length : 0))
  conn.on('drain', () => (unwritten = 0))

  return {
    /** Counts an event. Returns false if it is over the limit. */
    take(): boolean {
      const now = clock.now().getTime()
      // A clock that was put back takes no room away.
      const passed = Math.max(0, now - counted)
      room = Math.min(burst * rateLimitScale, room + (passed / seconds(1)) * perSecond * rateLimitScale)
      counted = now
      if (room < 1) return false
      room -= 1
      return true
    },

    /** Begins to send a message. Returns false if too many of the connection are on their way. */
    begin(): boolean {
      if (underWay >= maxUnderWay * rateLimitScale) return false
      underWay += 1
      return true
    },

    /** Ends what `begin` began. */
    end(): void {
      underWay -= 1
    },

    /** Whether to pass on a typing event: at most one per dialog every 2 seconds. */
    maySayTyping(dialogId: string): boolean {
      const at = clock.now().getTime()
      if (lastTyping.dialogId === dialogId && Math.abs(at - lastTyping.at) < typingEvery) return false
      lastTyping = { dialogId, at }
      return true
    },

    /**
     * Terminates a connection that reads too slowly for what is written to it. No event announces it, since none would
     * arrive; the browser sees a lost connection and reconnects.
     */
    check(): void {
      if (line && line.writableLength + unwritten > maxWaitingBytes) line.destroy()
    },
  }
}
