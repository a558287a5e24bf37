import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openEmbedded } from '../src/server/db/connection.ts'
import { expect, test as journey } from './fixtures.ts'

export type OwnServer = {
  url: string
  start(): Promise<void>
  kill(): Promise<void>
  /** Stops it, changes what it has stored, and starts it again: for what time alone brings about. */
  rewrite(change: (db: Database['db']) => Promise<void>): Promise<void>
}

/** A journey with a server of its own, that may be killed without a warning. */
export const test = journey.extend<{ server: OwnServer; seed: 'demo' | 'reference' }>({
  /** `reference`: without made-up practitioners, and up in a few seconds. */
  seed: ['demo', { option: true }],

  server: [
    async ({ playwright, seed }, use) => {
      const port = await freePort()
      const folder = mkdtempSync(join(tmpdir(), 'hearth-e2e-own-'))
      const url = `http://127.0.0.1:${port}`
      const health = await playwright.request.newContext({ baseURL: url })
      let running: ChildProcess | undefined
      const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
        if (!running || running.exitCode !== null || running.signalCode !== null) return
        const ended = once(running, 'exit')
        running.kill(signal)
        await ended
      }
      const server: OwnServer = {
        url,
        async start() {
          running = spawn(process.execPath, ['src/server/main.ts'], {
            stdio: ['ignore', 'ignore', 'inherit'],
            env: {
              ...process.env,
              PORT: String(port),
              HOST: '127.0.0.1',
              DATA_DIR: folder,
              SEED: seed,
              LOG_LEVEL: 'error',
              RATE_LIMIT_SCALE: '1000',
            },
          })
          const isReady = () =>
            health.get('/healthz').then(
              (answer) => answer.ok(),
              () => false,
            )
          await expect.poll(isReady, { timeout: 120_000 }).toBe(true)
        },
        kill: () => end('SIGKILL'),
        async rewrite(change) {
          await end('SIGTERM')
          const database = await openEmbedded({ directory: join(folder, 'database') })
          try {
            await change(database.db)
          } finally {
            await database.close()
          }
          await server.start()
        },
      }
      await server.start()
      await use(server)
      await server.kill()
      await health.dispose()
      rmSync(folder, { recursive: true, force: true })
    },
    // A first start fills a database, which takes a while on a busy machine.
    { timeout: 240_000 },
  ],
  baseURL: async ({ server }, use) => use(server.url),
})

/** A port that nobody listens on, for a server that comes back on the same one. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
