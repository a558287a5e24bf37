// Speaks as much of clamd's protocol as the product does. What it answers depends on the bytes that it is sent:
// EICAR is found, "stall" is never answered, "break" is hung up on, "limit" is more than it takes.
import { createServer } from 'node:net'

const server = createServer((socket) => {
  let received = Buffer.alloc(0)
  socket.on('error', () => undefined)
  socket.on('data', (data: Buffer) => {
    received = Buffer.concat([received, data])
    const content = contentOf(received)
    if (content === undefined) return
    if (content.includes('stall')) return
    if (content.includes('break')) socket.destroy()
    else if (content.includes('limit')) socket.end('INSTREAM size limit exceeded. ERROR\0')
    else if (content.includes('EICAR-STANDARD-ANTIVIRUS-TEST-FILE'))
      socket.end('stream: Eicar-Test-Signature FOUND\0')
    else socket.end('stream: OK\0')
  })
})

/** The bytes of the stream, once its end has come. */
function contentOf(received: Buffer): Buffer | undefined {
  const command = 'zINSTREAM\0'
  if (received.subarray(0, command.length).toString() !== command) return undefined
  const pieces: Buffer[] = []
  for (let at = command.length; at + 4 <= received.length; ) {
    const length = received.readUInt32BE(at)
    if (length === 0) return Buffer.concat(pieces)
    pieces.push(received.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return undefined
}

const [where = '0'] = process.argv.slice(2)
server.listen(/^\d+$/.test(where) ? { port: Number(where), host: '127.0.0.1' } : { path: where }, () => {
  const address = server.address()
  process.stdout.write(`${address && typeof address === 'object' ? address.port : where}\n`)
})
