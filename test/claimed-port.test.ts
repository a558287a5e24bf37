import { execFile } from 'node:child_process'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { type ClaimedPort, claimPort } from './claimed-port.ts'

const held: ClaimedPort[] = []
afterEach(async () => {
  await Promise.all(held.splice(0).map(({ release }) => release()))
})

async function claim(range?: { first: number; pairs: number }): Promise<number> {
  const claimed = await claimPort(range)
  held.push(claimed)
  return claimed.port
}

test('no two claims have the same port, although nothing listens on it', async () => {
  const ports = new Set<number>()
  for (let time = 0; time < 400; time++) ports.add(await claim())
  expect(ports.size).toBe(400)
})

test('a port is claimed for other processes too, until it is released', async () => {
  const { port, release } = await claimPort()
  const range = { first: port, pairs: 1 }
  const code = `import { claimPort } from ${JSON.stringify(fileURLToPath(new URL('claimed-port.ts', import.meta.url)))}
    console.log((await claimPort(${JSON.stringify(range)})).port)`
  const elsewhere = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', code])
  await expect(elsewhere()).rejects.toThrow('No port is free.')
  await release()
  expect((await elsewhere()).stdout).toBe(`${port}\n`)
})

test('a port on which a server listens is passed over', async () => {
  const { port, release } = await claimPort()
  await release()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await expect(claimPort({ first: port, pairs: 1 })).rejects.toThrow('No port is free.')
  await new Promise((resolve) => server.close(resolve))
  expect(await claim({ first: port, pairs: 1 })).toBe(port)
})
