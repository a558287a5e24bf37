// The baseline of signals: a socket.io server that passes each signal on to the other socket of its room and acknowledges
// it. It authenticates no connection and checks nothing. Started by rooms.ts in a process of its own.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server } from 'socket.io'

const http = createServer()
const io = new Server(http, {
  path: '/socket',
  transports: ['websocket'],
  serveClient: false,
  perMessageDeflate: false,
})
io.on('connection', (socket) => {
  const room = String((socket.handshake.auth as { room?: unknown }).room)
  void socket.join(room)
  socket.on('signal', (signal: unknown, acknowledge: (answer: { ok: true }) => void) => {
    socket.to(room).emit('signal', signal)
    acknowledge({ ok: true })
  })
})
http.listen(0, '127.0.0.1', () =>
  process.stdout.write(`http://127.0.0.1:${(http.address() as AddressInfo).port}\n`),
)
