import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  sql,
} from 'kysely'
import { claimPort } from '#test/claimed-port.ts'
import { shortRun } from '#test/short-run.ts'
import { type Database, openEmbedded } from '../src/server/db/connection.ts'
import { filledFolder, type Seed } from './filled.ts'
import { expect, test as journey } from './fixtures.ts'
import type { ClockMove } from './movable-clock.ts'
import type { Outcome, Statement } from './open-database.ts'

export type OwnServer = {
  url: string
  /** Where it keeps its data, and the mails that it has sent. */
  folder: string
  start(): Promise<void>
  /** Lets it end what it has begun. */
  stop(): Promise<void>
  kill(): Promise<void>
  /** Changes what it has stored while it runs: for what it reads anew each time. */
  change(change: (db: Database['db']) => Promise<void>): Promise<void>
  /** Stops it, changes what it has stored, and starts it again: for what time alone brings about. */
  rewrite(change: (db: Database['db']) => Promise<void>): Promise<void>
  /** Moves its clock on to an instant, and has the sweeps do what is due by then. */
  passTo(instant: Date | number | string): Promise<void>
  /** Epoch milliseconds by its clock. */
  now(): number
}

const preloaded = ['./e2e/open-database.ts', './e2e/movable-clock.ts'].flatMap((file) => ['--import', file])

/** The jobs by which deadlines are kept. */
const sweeps = [
  'subscriptions.sweep',
  'bookings.sweep',
  'bookings.charge-reserved',
  'series.sweep',
  'waitlist.sweep',
]

type Environment = (url: string) => Promise<Record<string, string>>

/** A journey with a server of its own, that may be killed without a warning. */
export const test = journey.extend<{
  server: OwnServer
  seed: Seed
  /** What else it is started with, once its address is known. */
  environment: Environment
}>({
  /** `reference`: without made-up practitioners, and up in a few seconds. */
  seed: ['demo', { option: true }],
  environment: async ({ seed: _seed }, use) => use(async () => ({})),

  server: [
    async ({ seed, environment }, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'hearth-e2e-own-'))
      cpSync(filledFolder(seed), folder, { recursive: true })
      const { port, release } = await claimPort()
      const server = await serverIn(folder, { port, seed, environment })
      await server.start()
      await use(server)
      await server.kill()
      await release()
      rmSync(folder, { recursive: true, force: true })
    },
    // A start takes a while on a busy machine.
    { timeout: 240_000 },
  ],
  baseURL: async ({ server }, use) => use(server.url),
})

/** A server on a claimed port that keeps what it has in a folder, not started yet. */
async function serverIn(
  folder: string,
  { port, seed, environment }: { port: number; seed: Seed; environment: Environment },
): Promise<OwnServer> {
  const url = `http://127.0.0.1:${port}`
  const more = await environment(url)
  let running: ChildProcess | undefined
  let aheadMs = 0
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    if (!running || running.exitCode !== null || running.signalCode !== null) return
    const ended = once(running, 'exit')
    running.kill(signal)
    await ended
  }
  const server: OwnServer = {
    url,
    folder,
    async start() {
      running = spawn(process.execPath, [...shortRun, ...preloaded, 'src/server/main.ts'], {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        serialization: 'advanced',
        env: {
          ...process.env,
          PORT: String(port),
          HOST: '127.0.0.1',
          DATA_DIR: folder,
          SEED: seed,
          LOG_LEVEL: 'error',
          RATE_LIMIT_SCALE: '1000',
          ...more,
        },
      })
      // It may fail to start.
      const state = () =>
        running?.exitCode !== null
          ? 'ended'
          : fetch(`${url}/healthz`).then(
              (answer) => (answer.ok ? 'ready' : 'starting'),
              () => 'starting',
            )
      await expect.poll(state, { timeout: 120_000 }).not.toBe('starting')
      expect(await state(), 'a server of its own').toBe('ready')
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    async change(change) {
      if (!running) throw new Error('The server has not been started.')
      const db = databaseOf(running)
      await change(db)
      await db.destroy()
    },
    now: () => Date.now() + aheadMs,
    async passTo(instant) {
      aheadMs = new Date(instant).getTime() - Date.now()
      const move: ClockMove = { aheadMs }
      running?.send(move)
      await server.change(async (db) => {
        for (const name of sweeps) await sql`insert into pgboss.job (name) values (${name})`.execute(db)
      })
    },
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
  return server
}

/** The database of a running server, without transactions. */
function databaseOf(server: ChildProcess): Database['db'] {
  const waiting = new Map<number, PromiseWithResolvers<unknown[]>>()
  const settle = (outcome: Outcome) => {
    const waiter = waiting.get(outcome.id)
    waiting.delete(outcome.id)
    if ('error' in outcome) waiter?.reject(new Error(outcome.error))
    else waiter?.resolve(outcome.rows)
  }
  server.on('message', settle)
  let last = 0
  const ask = (text: string, parameters: readonly unknown[]) => {
    const statement: Statement = { id: ++last, text, parameters: [...parameters] }
    const waiter = Promise.withResolvers<unknown[]>()
    waiting.set(statement.id, waiter)
    server.send(statement)
    return waiter.promise
  }
  const driver = new (class extends DummyDriver {
    override acquireConnection() {
      return Promise.resolve({
        executeQuery: async <R>(query: { sql: string; parameters: readonly unknown[] }) => {
          const result: QueryResult<R> = { rows: (await ask(query.sql, query.parameters)) as R[] }
          return result
        },
        streamQuery(): never {
          throw new Error('It does not stream.')
        },
      })
    }
    override beginTransaction(): never {
      throw new Error('It has no transactions.')
    }
    override async destroy() {
      server.off('message', settle)
    }
  })()
  return new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
}

/** Confirms the address of an account: mails to others say only that there is news. */
export function confirmEmail(server: OwnServer, { email }: { email: string }): Promise<void> {
  return server.change(async (db) => {
    await sql`update accounts set email_verified_at = now() where email = ${email}`.execute(db)
  })
}
