// The baseline of the chat's socket: a `ws` server that relays each frame to the other end of a pair and echoes it to the
// sender. It authenticates no connection. Given a database, it commits one row for each frame before it relays it;
// otherwise it stores nothing. Started by chat.ts in a process of its own.
import pg from 'pg'
import { WebSocketOfEngine, type WebSocketOfWs } from './engine-ws.ts'

const [databaseUrl, connections] = process.argv.slice(2)
const commit = databaseUrl ? await openCommits(databaseUrl, Number(connections)) : undefined
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
    const passOn = () => {
      for (const other of pair) if (other !== socket) other.send(frame)
      socket.send(frame)
    }
    if (commit) commit(data, passOn)
    else passOn()
  })
  socket.on('close', () => {
    pair.splice(pair.indexOf(socket), 1)
    if (pair.length === 0) pairs.delete(name)
  })
})
server.on('listening', () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`))

/** Commits as pgbench does beside it: one row of as many bytes, by the shortest way through the driver. */
async function openCommits(url: string, count: number): Promise<(data: Buffer, done: () => void) => void> {
  const idle = await Promise.all(
    Array.from({ length: count }, async () => {
      const client = new pg.Client(url)
      await client.connect()
      return client
    }),
  )
  const waiting: (() => void)[] = []
  const ask = (data: Buffer, done: () => void) => {
    const client = idle.pop()
    if (!client) {
      waiting.push(() => ask(data, done))
      return
    }
    client.query(
      {
        name: 'commit',
        text: 'insert into bench_commits (id, body) values (gen_random_uuid(), $1)',
        values: [data.subarray(0, 120)],
      },
      (error: Error | null) => {
        if (error) throw error
        idle.push(client)
        waiting.shift()?.()
        done()
      },
    )
  }
  return ask
}
