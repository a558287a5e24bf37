import { createRequire } from 'node:module'
import type { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'

/** What the benchmark uses of a WebSocket, of either side. */
export type WebSocketOfWs = EventEmitter & {
  send(text: string): void
  close(): void
  terminate(): void
}
type Ws = {
  new (address: string, options: { perMessageDeflate: false }): WebSocketOfWs
  WebSocketServer: new (options: {
    port: number
    host: string
    perMessageDeflate: false
  }) => EventEmitter & {
    on(event: 'connection', hear: (socket: WebSocketOfWs, request: IncomingMessage) => void): void
    address(): { port: number }
  }
}

const fromHere = createRequire(import.meta.url)
const fromSocketIo = createRequire(fromHere.resolve('socket.io'))
const fromEngine = createRequire(fromSocketIo.resolve('engine.io'))

/** The very `ws` that the product's socket stands on, so that what is compared is what the product adds to it. */
export const WebSocketOfEngine = fromEngine('ws') as Ws
