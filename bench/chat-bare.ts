// What the chat's socket is held against: a `ws` server that passes each frame on to the other one of a pair, and answers
// who sent it with the same. It knows nobody and keeps nothing. Started by chat.ts in a process of its own.
import { WebSocketOfEngine, type WebSocketOfWs } from './engine-ws.ts'

const server = new WebSocketOfEngine.WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
/** The two of a pair, by its name, which is the address that they ask for. */
const pairs = new Map<string, WebSocketOfWs[]>()

server.on('connection', (socket, request) => {
  const name = request.url ?? ''
  const pair = pairs.get(name) ?? []
  pairs.set(name, pair)
  pair.push(socket)
  socket.on('message', (data: Buffer) => {
    const frame = data.toString()
    for (const other of pair) if (other !== socket) other.send(frame)
    socket.send(frame)
  })
  socket.on('close', () => {
    pair.splice(pair.indexOf(socket), 1)
    if (pair.length === 0) pairs.delete(name)
  })
})
server.on('listening', () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`))
