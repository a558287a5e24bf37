import { connect, createServer, type Socket } from 'node:net'

/**
 * A proxy in front of PostgreSQL that passes on only the notifications that a connection has sent itself, as a pooler
 * that shares sessions out does where it happens to give a client the same session again.
 */
export async function startDeafProxy(serverUrl: string) {
  const { hostname, port } = new URL(serverUrl)
  let isDeaf = true
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const socket of [near, far]) socket.on('error', () => undefined)
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
    near.on('data', (bytes) => far.write(bytes))
    let own: number | undefined
    let rest = Buffer.alloc(0)
    far.on('data', (bytes) => {
      rest = Buffer.concat([rest, bytes])
      while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
        const message = rest.subarray(0, 1 + rest.readInt32BE(1))
        rest = rest.subarray(message.length)
        const type = String.fromCharCode(message[0] ?? 0)
        if (type === 'K') own = message.readInt32BE(5)
        if (!isDeaf || type !== 'A' || message.readInt32BE(5) === own) near.write(message)
      }
    })
    open.add(near)
    near.on('close', () => open.delete(near))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('no port')
  const url = new URL(serverUrl)
  url.hostname = '127.0.0.1'
  url.port = String(address.port)
  return {
    url: url.href,
    /** Passes on every notification from here on. */
    hear(): void {
      isDeaf = false
    },
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
