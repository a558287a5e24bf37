import { createHmac } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import Turn from 'node-turn'
import { test as journey } from './own-server.ts'

export type Relay = {
  /** As the server names it to browsers. */
  url: string
  /** Whether it takes the credentials that the server makes. */
  knowsServer(knows: boolean): void
  /** From now on this share of the packets from browsers does not arrive, 0 to 1. With 1, none comes back either. */
  lose(share: number): void
}

const secret = 'a secret of this test alone'

/** A journey whose server names a TURN relay, behind a forwarder that loses packets when asked to. */
export const test = journey.extend<{ relay: Relay }>({
  relay: async ({ seed: _seed }, use) => {
    const { relay, stop } = await startRelay()
    await use(relay)
    stop()
  },
  environment: async ({ relay }, use) => use(async () => ({ TURN_URLS: relay.url, TURN_SECRET: secret })),
})

async function startRelay(): Promise<{ relay: Relay; stop(): void }> {
  // Browsers do not offer loopback addresses.
  const ip =
    Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1'
  let isKnown = true
  const probe = createSocket('udp4').bind(0, ip)
  await once(probe, 'listening')
  const { port } = probe.address()
  probe.close()
  const turn = new Turn({
    listeningPort: port,
    listeningIps: [ip],
    relayIps: [ip],
    authMech: 'long-term',
    realm: 'hearth.test',
    debugLevel: 'OFF',
    credentials: new Proxy(
      {},
      {
        get: (_, name) =>
          isKnown ? createHmac('sha1', secret).update(String(name)).digest('base64') : undefined,
      },
    ),
  })
  turn.start()
  const forwarder = await startForwarder(ip, port)
  return {
    relay: {
      url: `turn:${ip}:${forwarder.port}?transport=udp`,
      knowsServer: (knows) => {
        isKnown = knows
      },
      lose: forwarder.lose,
    },
    stop: () => {
      forwarder.stop()
      turn.stop()
    },
  }
}

/** Forwards UDP packets to a port of the same address, and the answers back. */
async function startForwarder(ip: string, targetPort: number) {
  const front = createSocket('udp4').bind(0, ip)
  await once(front, 'listening')
  const backs = new Map<string, Socket>()
  let share = 0
  let due = 0
  /** Evenly spread, so that a run is like the next one. */
  const isLost = () => {
    due += share
    if (due < 1) return false
    due -= 1
    return true
  }
  front.on('message', (bytes, { address, port }) => {
    const key = `${address}:${port}`
    let back = backs.get(key)
    if (!back) {
      back = createSocket('udp4').bind(0, ip)
      back.on('message', (answer) => share < 1 && front.send(answer, port, address))
      backs.set(key, back)
    }
    if (!isLost()) back.send(bytes, targetPort, ip)
  })
  return {
    port: front.address().port,
    lose(of: number) {
      share = of
    },
    stop() {
      for (const socket of [front, ...backs.values()]) socket.close()
    },
  }
}
