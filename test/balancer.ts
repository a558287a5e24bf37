import {
  Agent,
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

export type Balancer = {
  origin: string
  /** Every request that an instance did not answer in full. */
  failures: string[]
  add(origin: string): void
  /** Waits until it sends an instance that is stopping nothing more, and all that it sent has arrived. */
  avoids(origin: string): Promise<void>
  /** Once it has ended. */
  remove(origin: string): void
  close(): Promise<void>
}

type Backend = {
  origin: string
  hostname: string
  port: number
  agent: Agent
  isReady: boolean
  /** How often it was asked whether it is ready, and which of these its last word answered. */
  asked: number
  heard: number
  /** Requests that were forwarded and are not written yet. */
  unwritten: Set<ClientRequest>
}

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
    const number = ++backend.asked
    const answer = await fetch(`${backend.origin}/readyz`, { signal: AbortSignal.timeout(3000) }).catch(
      () => undefined,
    )
    await answer?.arrayBuffer().catch(() => undefined)
    // An answer that took longer than the next one is out of date.
    if (number < backend.heard) return
    backend.heard = number
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
      // What the instance says of its own connection is not true of the caller's.
      const { connection: _connection, 'keep-alive': _keepAlive, ...rest } = answer.headers
      outgoing.writeHead(answer.statusCode ?? 502, rest)
      answer.pipe(outgoing)
      answer.once('error', (error) => fail(`${backend.origin} broke off, ${error.message}`))
    })
    sent.once('error', (error) => fail(`${backend.origin}, ${error.message}`))
    backend.unwritten.add(sent)
    for (const event of ['finish', 'close']) sent.once(event, () => backend.unwritten.delete(sent))
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
  // A caller ends a connection that it no longer needs: one that ends here may have a request on its way.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failures,
    add(origin) {
      const { hostname, port } = new URL(origin)
      const agent = new Agent({ keepAlive: true })
      const backend: Backend = {
        origin,
        hostname,
        port: Number(port),
        agent,
        isReady: false,
        asked: 0,
        heard: 0,
        unwritten: new Set(),
      }
      backends.push(backend)
      void poll(backend)
    },
    async avoids(origin) {
      for (const backend of backends.filter((each) => each.origin === origin)) {
        while (backend.isReady || backend.unwritten.size > 0) await sleep(pollEvery)
        // What was written is read within the time of two further questions: one for a new connection to be accepted.
        await poll(backend)
        await poll(backend)
      }
    },
    remove(origin) {
      // Its connections end with it: its last answers may still be on their way.
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
