import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import Turn from 'node-turn'
import { walking } from './axe.ts'
import { expect } from './fixtures.ts'
import { test as journey } from './own-server.ts'
import { callAs } from './people.ts'
import { expectPicture, fakeDevices, join, openRooms, sessionHeldHere, watchCalls } from './rooms.ts'

type Relay = { url: string; turn: Turn }

const test = journey.extend<{ relay: Relay }>({
  relay: async ({ seed: _seed }, use) => {
    const ip =
      Object.values(networkInterfaces())
        .flatMap((each) => each ?? [])
        .find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1'
    const port = await freePort(ip)
    const turn = new Turn({
      listeningPort: port,
      listeningIps: [ip],
      relayIps: [ip],
      authMech: 'long-term',
      realm: 'hearth.test',
      debugLevel: 'OFF',
    })
    turn.start()
    await use({ url: `turn:${ip}:${port}?transport=udp`, turn })
    turn.stop()
  },
  environment: async ({ relay }, use) =>
    use(async () => ({ TURN_URLS: relay.url, TURN_SECRET: 'a secret of this test alone' })),
})
test.use({ seed: 'reference', chromiumArguments: fakeDevices })

async function freePort(ip: string): Promise<number> {
  const probe = createSocket('udp4').bind(0, ip)
  await once(probe, 'listening')
  const { port } = probe.address()
  probe.close()
  return port
}

type Ice = { ice: { servers: { username?: string; credential?: string }[] } }

test('two people meet through the relay alone, as soon as it knows them', async ({
  server,
  relay,
  request,
  openContext,
}) => {
  const booked = await sessionHeldHere(server, request, 2)
  const open = async () => {
    const context = await openContext({ ...walking, baseURL: server.url })
    await watchCalls(context)
    return context.newPage()
  }
  const page = await open()
  const theirs = await open()
  await openRooms(page, theirs, booked)
  await join(page)
  await join(theirs)
  await theirs.getByRole('button', { name: 'Let in' }).click()
  await expect(page.getByText(/The relay does not answer from here/)).toBeVisible()

  for (const person of [booked.client, booked.therapist]) {
    const { ice } = await callAs<Ice>(request, person, 'GET', `/appointment/${booked.id}/room`)
    for (const { username, credential } of ice.servers) {
      if (username && credential) relay.turn.addUser(username, credential)
    }
  }
  const begun = Date.now()
  await expect(page.getByLabel('Picture of Mary Ann Okafor')).toBeVisible({ timeout: 60_000 })
  process.stdout.write(`Connected ${Date.now() - begun} ms after the relay was mended.\n`)
  await expectPicture(page, 'Mary Ann Okafor')
  for (const each of [page, theirs]) {
    const kinds = await each.evaluate(async () => {
      const { made } = globalThis as unknown as { made: { getStats(): Promise<Map<string, Candidate>> }[] }
      type Candidate = { type: string; candidateType: string }
      const found = new Set<string>()
      for (const connection of made) {
        for (const stat of (await connection.getStats()).values()) {
          if (stat.type === 'local-candidate') found.add(stat.candidateType)
        }
      }
      return [...found]
    })
    expect(kinds).toEqual(['relay'])
  }
})
