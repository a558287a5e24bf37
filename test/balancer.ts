import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'

export type Balancer = {
  origin: string
  /** Every request that an instance did not answer in full. */
  failures: string[]
  add(origin: string): void
  /** Once it has ended. */
  remove(origin: string): void
  close(): Promise<void>
}

type Backend = { origin: string; hostname: string; port: number; isReady: boolean; agent: Agent }

/**
 * A balancer in front of instances, as one of a data centre: it keeps connections to them open, sends a request to those
 * whose `/readyz` last said yes, and repeats none.
 */
export async function startBalancer({ pollEvery = 100 } = {}): Promise<Balancer> {
  let backends: Backend[] = []
  const failures: string[] = []
  let turn = 0

  const next = () => {
    const ready = backends.filter(({ isReady }) => isReady)
    return ready[turn++ % Math.max(1, ready.length)]
  }
  const poll = async (backend: Backend) => {
    const answer = await fetch(`${backend.origin}/readyz`, { signal: AbortSignal.timeout(3000) }).catch(
      () => undefined,
    )
    await answer?.arrayBuffer().catch(() => undefined)
    backend.isReady = answer?.status === 200
  }
  const polling = setInterval(() => {
    for (const backend of backends) void poll(backend)
  }, pollEvery)

  const forward = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const backend = next()
    const fail = (why: string) => {
      failures.push(`${incoming.method} ${incoming.url}: ${why}`)
      if (!outgoing.headersSent) outgoing.writeHead(502)
      outgoing.end()
    }
    if (!backend) return fail('no instance is ready')
    const { hostname, port, agent } = backend
    const { method, url: path, headers } = incoming
    const sent = request({ hostname, port, agent, method, path, headers }, (answer) => {
      const { connection: _ofThisHop, ...rest } = answer.headers
      outgoing.writeHead(answer.statusCode ?? 502, rest)
      answer.pipe(outgoing)
      answer.once('error', (error) => fail(`${backend.origin} broke off, ${error.message}`))
    })
    sent.once('error', (error) => fail(`${backend.origin}, ${error.message}`))
    incoming.pipe(sent)
  }

  const tunnel = (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => undefined)
    const backend = next()
    if (!backend) {
      socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n')
      return
    }
    const upstream = connect(backend.port, backend.hostname, () => {
      const lines = [`${incoming.method} ${incoming.url} HTTP/1.1`]
      for (let at = 0; at < incoming.rawHeaders.length; at += 2) {
        lines.push(`${incoming.rawHeaders[at]}: ${incoming.rawHeaders[at + 1]}`)
      }
      upstream.write(`${lines.join('\r\n')}\r\n\r\n`)
      upstream.write(head)
      upstream.pipe(socket)
      socket.pipe(upstream)
    })
    upstream.once('error', (error) => {
      failures.push(`socket to ${backend.origin}: ${error.message}`)
      socket.destroy()
    })
    socket.once('close', () => upstream.destroy())
    upstream.once('close', () => socket.end())
  }

  const server = createServer(forward)
  server.on('upgrade', tunnel)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failures,
    add(origin) {
      const { hostname, port } = new URL(origin)
      const agent = new Agent({ keepAlive: true })
      const backend = { origin, hostname, port: Number(port), isReady: false, agent }
      backends.push(backend)
      void poll(backend)
    },
    remove(origin) {
      for (const { agent } of backends.filter((each) => each.origin === origin)) agent.destroy()
      backends = backends.filter((each) => each.origin !== origin)
    },
    async close() {
      clearInterval(polling)
      for (const { agent } of backends) agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
