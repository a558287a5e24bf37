// The baselines of searches over HTTP: a bare `node:http` server, or a bare route of Fastify, that sends bodies in turn for
// any request. It is given which, and a file of JSON with the bodies. Started by search.ts in a process of its own.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import Fastify from 'fastify'

const [, , kind, file = ''] = process.argv
const bodies = (JSON.parse(readFileSync(file, 'utf8')) as string[]).map((body) => Buffer.from(body))
const type = 'application/json; charset=utf-8'
/** Longer than the turn of what it is measured beside, in milliseconds. */
const idle = 600_000
let turn = 0
const nextBody = () => bodies[turn++ % bodies.length]!

if (kind === 'fastify') {
  const app = Fastify({ keepAliveTimeout: idle })
  app.get('/*', (_request, reply) => reply.type(type).send(nextBody()))
  console.log(await app.listen({ host: '127.0.0.1', port: 0 }))
} else {
  const server = createServer((_request, response) => {
    const body = nextBody()
    response.setHeader('content-type', type)
    response.setHeader('content-length', body.length)
    response.end(body)
  })
  server.keepAliveTimeout = idle
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    if (address && typeof address === 'object') console.log(`http://127.0.0.1:${address.port}`)
  })
}
