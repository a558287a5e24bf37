import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** A server whose answers wait at first, so that responses survive collections, and then come at once. */
const script = (begin: string) => `
  import { createServer } from 'node:http'
  import { connect } from 'node:net'
  import { setTimeout as sleep } from 'node:timers/promises'
  ${begin}
  let isWaiting = true
  const server = createServer(async (request, response) => {
    response.on('finish', () => undefined)
    if (isWaiting) {
      // All answers of a round wait together while young objects are collected.
      await sleep(50)
      const garbage = []
      for (let at = 0; at < 20_000; at++) garbage[at % 100] = { at }
      await sleep(50)
    }
    response.setHeader('content-length', 2)
    response.end('ok')
  }).listen(0, '127.0.0.1', async () => {
    const sockets = await Promise.all(Array.from({ length: 300 }, async () => {
      const socket = connect({ host: '127.0.0.1', port: server.address().port })
      await new Promise((resolve) => socket.once('connect', resolve))
      return socket
    }))
    const ask = (count) => Promise.all(sockets.map(async (socket) => {
      for (let asked = 0; asked < count; asked++) {
        socket.write('GET / HTTP/1.1\\r\\nhost: a\\r\\n\\r\\n')
        await new Promise((resolve) => socket.once('data', resolve))
      }
    }))
    await ask(8)
    isWaiting = false
    await ask(150)
    process.exit(0)
  })`

/** Bytes that survive a collection of young objects in the end. */
async function survivors(begin: string): Promise<number> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      '--trace-gc-nvp',
      '--min-semi-space-size=4',
      '--max-semi-space-size=4',
      '--input-type=module',
      '--eval',
      script(begin),
    ],
    { maxBuffer: 10_000_000 },
  )
  const all = [...stdout.matchAll(/gc=s .*new_space_survived=(\d+)/g)].map(([, bytes]) => Number(bytes))
  const last = all.slice(-9).toSorted((a, b) => a - b)
  return last[4] ?? 0
}

const module = new URL('young-objects.ts', import.meta.url).href

test('answers are forgotten with the young objects, which they are not by themselves', async () => {
  const [kept, left] = await Promise.all([
    survivors(`import { keepObjectsYoung } from '${module}'\nkeepObjectsYoung()`),
    survivors(''),
  ])
  // Some 0.2 and 1.1 MB.
  expect(kept).toBeGreaterThan(0)
  expect(left / kept).toBeGreaterThan(3)
})
