// A push service that speaks the real protocol (RFC 8030), in a process of its own: `node test/push-service.ts`. It says
// its port on the first line, and keeps what it is sent, undeciphered. `PUT /behaviour` makes it fail.
import { createPublicKey, verify } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

type Received = { path: string; headers: Record<string, unknown>; body: string; signed: unknown }
const received: Received[] = []
let status = 201
/** What it answers with the status. */
let answer = ''

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** What the sender has signed, if the signature is right (RFC 8292). */
function signedBy(header: string | undefined): unknown {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header ?? '') ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  if (point.length !== 65) return null
  const publicKey = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  })
  const isRight = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  return isRight ? { ...(JSON.parse(Buffer.from(claims, 'base64url').toString()) as object), key } : null
}

const server = createServer((request, response) => {
  void (async () => {
    const body = await bytesOf(request)
    const path = request.url ?? ''
    if (request.method === 'PUT' && path === '/behaviour') {
      const behaviour = JSON.parse(body.toString()) as { status: number; answer?: string }
      status = behaviour.status
      answer = behaviour.answer ?? ''
      response.end()
    } else if (request.method === 'GET' && path === '/received') {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(received))
    } else if (request.method === 'POST') {
      received.push({
        path,
        headers: request.headers,
        body: body.toString('base64url'),
        signed: signedBy(request.headers.authorization),
      })
      response.statusCode = status
      if (status === 302) response.setHeader('location', '/elsewhere')
      response.end(answer)
    } else {
      response.statusCode = 404
      response.end()
    }
  })()
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))
