// The baseline of searches over HTTP: a bare `node:http` server that sends bodies in turn for any request. It is given
// them by a file of JSON. Started by search.ts in a process of its own.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const bodies = (JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as string[]).map((body) =>
  Buffer.from(body),
)
let turn = 0
const server = createServer((_request, response) => {
  const body = bodies[turn++ % bodies.length]!
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.setHeader('content-length', body.length)
  response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address.port}\n`)
})
