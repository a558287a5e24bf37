import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { clusterDatabase, emptyClusterDatabase } from './cluster-database.ts'
import { compileCache } from './compile-cache.ts'
import { password } from './factories.ts'
import { freePort } from './private-cluster.ts'
import { shortRun } from './short-run.ts'

const main = fileURLToPath(new URL('../src/server/main.ts', import.meta.url))
const running = new Set<ChildProcess>()
let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hearth-start-'))
})
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL')
  running.clear()
  rmSync(directory, { recursive: true, force: true })
})

type Started = { child: ChildProcess; origin: string; words: () => string; ended: Promise<number | string> }

/** Starts the product as `npm start` does; with other parameters in a process group of its own. */
async function start(environment: Record<string, string> = {}, parameters?: string[]): Promise<Started> {
  const port = await freePort()
  const child = spawn(process.execPath, parameters ?? [...shortRun, main], {
    detached: parameters !== undefined,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      ...compileCache,
      DATA_DIR: join(directory, 'data'),
      PORT: String(port),
      SEED: 'reference',
      LOG_LEVEL: 'fatal',
      ...environment,
    },
  })
  running.add(child)
  let words = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      words += chunk.toString()
    })
  }
  const ended = new Promise<number | string>((resolve) => {
    child.on('exit', (code, signal) => resolve(code ?? signal ?? 'gone'))
  })
  return { child, origin: `http://127.0.0.1:${port}`, words: () => words, ended }
}

/** Milliseconds until `/healthz` answers 200. */
async function healthy({ origin, child, words }: Started): Promise<number> {
  const begun = performance.now()
  while (performance.now() - begun < 90_000) {
    const answer = await fetch(`${origin}/healthz`).catch(() => undefined)
    if (answer?.status === 200) return performance.now() - begun
    if (child.exitCode !== null) break
    await sleep(50)
  }
  throw new Error(`It did not start: ${words()}`)
}

const post = (origin: string, path: string, body: unknown) =>
  fetch(`${origin}/api/v7${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const register = (origin: string, email: string) =>
  post(origin, '/client/register', {
    name: 'Alex Morgan',
    email,
    password,
    is_adult: true,
    accept_terms: true,
  })
const signIn = async (origin: string, email: string) =>
  (await post(origin, '/client/login', { email, password })).status

// Four starts in a row take a while on a busy machine.
describe('on its embedded database', { timeout: 180_000 }, () => {
  test('a second start finds what the first one kept, after SIGTERM and after Ctrl-C', async () => {
    const first = await start()
    await healthy(first)
    expect((await register(first.origin, 'one@example.test')).status).toBe(201)
    first.child.kill('SIGTERM')
    expect(await first.ended).toBe(0)

    const second = await start()
    await healthy(second)
    expect(await signIn(second.origin, 'one@example.test')).toBe(200)
    second.child.kill('SIGINT')
    expect(await second.ended).toBe(0)

    const third = await start()
    await healthy(third)
    expect(await signIn(third.origin, 'one@example.test')).toBe(200)
  })

  test('stops at once while it starts, and the next start is none the worse for it', async () => {
    const first = await start()
    await expect.poll(() => readdirSync(directory), { timeout: 60_000 }).toContain('data')
    first.child.kill('SIGTERM')
    expect(await first.ended).toBe(0)
    expect(first.words()).not.toContain('ready')
    await healthy(await start())
  })

  test('kill -9 loses nothing that was answered, and leaves nothing in the way of the next start', async () => {
    for (const email of ['a@example.test', 'b@example.test', 'c@example.test']) {
      const started = await start()
      await healthy(started)
      expect((await register(started.origin, email)).status).toBe(201)
      started.child.kill('SIGKILL')
      expect(await started.ended).toBe('SIGKILL')
    }
    const last = await start()
    await healthy(last)
    for (const email of ['a@example.test', 'b@example.test', 'c@example.test']) {
      expect(await signIn(last.origin, email)).toBe(200)
    }
  })

  test('a second process on the same data is refused with a sentence, and the first goes on', async () => {
    const first = await start()
    await healthy(first)
    const second = await start()
    expect(await second.ended).toBe(1)
    expect(second.words()).toContain('is in use by another Hearth process. Stop it first')
    expect((await register(first.origin, 'still@example.test')).status).toBe(201)
  })
})

test('npm run dev restarts on a change of the server, keeps the data, and ends on Ctrl-C', {
  timeout: 240_000,
}, async () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { dev: string } }
  const [, ...parameters] = scripts.dev.split(' ')
  const { child, origin, words, ended } = await start({ SEED: 'none' }, parameters)
  const starts = () => words().split('Hearth is ready').length - 1
  await vi.waitFor(() => expect(starts()).toBe(1), { timeout: 90_000, interval: 100 })
  expect((await register(origin, 'kept@example.test')).status).toBe(201)

  const now = new Date()
  utimesSync('src/server/clock.ts', now, now)
  await vi.waitFor(() => expect(starts()).toBe(2), { timeout: 90_000, interval: 100 })
  expect(await signIn(origin, 'kept@example.test')).toBe(200)

  // Ctrl-C reaches every process of the terminal.
  process.kill(-(child.pid ?? 0), 'SIGINT')
  await ended
  await vi.waitFor(() => expect(fetch(origin)).rejects.toThrow(), { timeout: 20_000 })
  const next = await start({ SEED: 'none' })
  await healthy(next)
  expect(await signIn(next.origin, 'kept@example.test')).toBe(200)
})

test('several instances start at once on one empty PostgreSQL, and serve the same data', async () => {
  const url = await emptyClusterDatabase()
  const instances = await Promise.all([
    start({ DATABASE_URL: url }),
    start({ DATABASE_URL: url }),
    start({ DATABASE_URL: url }),
  ])
  await Promise.all(instances.map(healthy))
  const [one, , three] = instances as [Started, Started, Started]
  expect((await register(one.origin, 'shared@example.test')).status).toBe(201)
  expect(await signIn(three.origin, 'shared@example.test')).toBe(200)
})

describe('a database that was filled at an earlier start', () => {
  /** A database of which a first start has chosen what it holds. */
  async function filledWith(seed: 'demo' | 'reference'): Promise<string> {
    const { url, database } = await clusterDatabase(1)
    const values = [
      { key: 'seed', value: seed },
      ...(seed === 'demo' ? [{ key: 'demo', value: 'filled' }] : []),
    ]
    await database.db.insertInto('installation').values(values).execute()
    await database.close()
    return url
  }

  test('with demo data is not served where others can reach it, even if the start chooses reference data', async () => {
    const started = await start({
      DATABASE_URL: await filledWith('demo'),
      SEED: 'reference',
      PUBLIC_URL: 'https://hearth.example',
      PAYMENT_GATEWAY: 'stripe',
      STRIPE_SECRET_KEY: 'sk_test_1',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
      STRIPE_WEBHOOK_SECRET: 'whsec_1',
    })
    expect(await started.ended).toBe(1)
    expect(started.words()).toContain(
      'The demo data in this database is refused on PUBLIC_URL=https://hearth.example',
    )
  })

  test('without demo data has no sign-in with made-up accounts and no made-up mails, even if the start chooses demo data', async () => {
    const started = await start({ DATABASE_URL: await filledWith('reference'), SEED: 'demo' })
    await healthy(started)
    const statusOf = async (path: string) => (await fetch(`${started.origin}${path}`)).status
    expect(await statusOf('/development/mails')).toBe(404)
    expect(await statusOf('/development/identity/.well-known/openid-configuration')).toBe(404)
    expect(started.words()).not.toContain('Demo accounts')
  })
})

const wrong: { environment: Record<string, string>; says: string }[] = [
  { environment: { PORT: 'eighty' }, says: 'PORT' },
  { environment: { SEED: 'everything' }, says: 'SEED' },
  { environment: { DATABASE_URL: 'mysql://x' }, says: 'DATABASE_URL' },
  { environment: { HOST: '0.0.0.0' }, says: 'The sandbox gateway is refused on HOST=0.0.0.0' },
  { environment: { HOST: '0.0.0.0', SEED: 'demo' }, says: 'SEED=demo is refused on HOST=0.0.0.0' },
  {
    environment: { PUBLIC_URL: 'https://hearth.example', SEED: 'demo' },
    says: 'SEED=demo is refused on PUBLIC_URL=https://hearth.example',
  },
]

test.each(wrong)(
  'a wrong setting stops the start with a sentence that names it: $says',
  async ({ environment, says }) => {
    const started = await start(environment)
    expect(await started.ended).toBe(1)
    expect(started.words()).toContain(says)
  },
)

test('the cluster that these tests stand on has real concurrency', async () => {
  const { database } = await clusterDatabase(2)
  expect(database.engine.kind).toBe('server')
  await database.close()
})
