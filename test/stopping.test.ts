import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openServer } from '#server/db/connection.ts'
import { startBalancer } from './balancer.ts'
import { buildTestApp, callsTo, type TestApp } from './build-test-app.ts'
import { clusterDatabase } from './cluster-database.ts'
import { createClient, openChat } from './factories.ts'

const stops = process.env.ENDURANCE === 'full' ? 10 : 3

let url: string
let running: TestApp[]

beforeEach(async () => {
  const created = await clusterDatabase(5)
  url = created.url
  const first = await buildTestApp({ database: created.database })
  running = [first]
  running.push(await start())
})
afterEach(async () => {
  for (const app of running) await app.close()
})

/** Another instance on the same database. */
const start = () =>
  buildTestApp({
    database: openServer(url, 5, () => undefined),
    ...(running[0] ? { secrets: running[0].secrets } : {}),
  })

test(`${stops} instances are stopped behind a balancer, and each request is answered as usual`, async () => {
  const balancer = await startBalancer({ pollEvery: 50 })
  for (const { origin } of running) balancer.add(origin)
  await sleep(300)
  const [app] = running as [TestApp]
  const { token } = await createClient(app)
  const { client, dialog } = await openChat(app)
  const call = callsTo(balancer.origin)
  const statuses: number[] = []
  const over = new AbortController()
  const person = async () => {
    while (!over.signal.aborted) {
      const answers = [
        await call('GET', '/client/profile/show', { token }),
        await call('GET', '/practitioner/get-practitioners'),
        await call('POST', '/chat/messages', {
          token: client.token,
          body: { chat_dialog_id: dialog, message: 'Hello.' },
        }),
      ]
      statuses.push(...answers.map(({ status }) => status))
      await sleep(5)
    }
  }
  const people = Array.from({ length: 6 }, person)
  for (let stop = 0; stop < stops; stop++) {
    const after = await start()
    balancer.add(after.origin)
    const [before] = running.splice(0, 1, ...running.splice(1, 1), after) as [TestApp]
    const begun = statuses.length
    await before.stop(() => balancer.avoids(before.origin))
    balancer.remove(before.origin)
    await expect.poll(() => statuses.length, { timeout: 20_000 }).toBeGreaterThan(begun + 12)
  }
  over.abort()
  await Promise.all(people)
  await balancer.close()
  expect(balancer.failures).toEqual([])
  expect([...new Set(statuses)].toSorted()).toEqual([200, 201])
}, 300_000)

test('an answer after the stop has begun closes its connection, and what comes before the end is answered in full', async () => {
  const [app] = running as [TestApp]
  const { hostname, port } = new URL(app.origin)
  const socket = connect(Number(port), hostname)
  let words = ''
  socket.on('data', (chunk: Buffer) => {
    words += chunk.toString()
  })
  const ended = new Promise((resolve) => socket.once('close', resolve))
  const ask = 'GET /healthz HTTP/1.1\r\nHost: hearth.test\r\n\r\n'
  socket.write(ask)
  await expect.poll(() => words).toContain('{"status":"ok"}')
  expect(words).toMatch(/connection: keep-alive/i)
  words = ''
  const answered = () => expect.poll(() => words).toContain('{"status":"ok"}')
  const stopped = app.stop(answered)
  running.shift()
  socket.write(ask)
  await ended
  expect(words).toMatch(/^HTTP\/1\.1 200/)
  expect(words).toMatch(/connection: close/i)
  expect(words).toContain('{"status":"ok"}')
  await stopped
})
