import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Database, openServer } from '#server/db/connection.ts'
import { password } from './factories.ts'
import { type Cluster, freePort, startCluster } from './private-cluster.ts'
import { type PrivateRedis, startRedis } from './private-redis.ts'

/*
 * Two instances of the product as they are run, on one PostgreSQL and one Redis, while people use them: what of it may
 * go away, and what must hold meanwhile.
 */

const main = fileURLToPath(new URL('../src/server/main.ts', import.meta.url))
const restarts = process.env.ENDURANCE === 'full' ? 10 : 3

type Instance = { origin: string; process: ChildProcess; ended: Promise<unknown> }

let cluster: Cluster
let redis: PrivateRedis
let directory: string
let database: Database
let environment: Record<string, string>
let instances: Instance[] = []

beforeAll(async () => {
  cluster = await startCluster({ durable: true })
  redis = await startRedis()
  directory = mkdtempSync(join(tmpdir(), 'hearth-instances-'))
  database = openServer(cluster.url, 3, () => undefined)
  environment = {
    PATH: process.env.PATH ?? '',
    DATA_DIR: directory,
    DATABASE_URL: cluster.url,
    REDIS_URL: redis.url,
    SECRET_KEY: randomBytes(32).toString('base64'),
    SEED: 'reference',
    LOG_LEVEL: 'fatal',
    DRAIN_SECONDS: '1',
    TRUST_PROXY: '1',
  }
  instances = await Promise.all([start(), start()])
}, 120_000)

afterAll(async () => {
  for (const each of instances) each.process.kill('SIGKILL')
  await Promise.all(instances.map(({ ended }) => ended))
  await database.close()
  await redis.stop()
  await cluster.stop()
  rmSync(directory, { recursive: true, force: true })
})

async function start(more: Record<string, string> = {}): Promise<Instance> {
  const port = String(await freePort())
  const child = spawn(process.execPath, [main], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...environment, PORT: port, ...more },
  })
  const instance = {
    origin: `http://127.0.0.1:${port}`,
    process: child,
    ended: new Promise((resolve) => child.once('exit', resolve)),
  }
  await vi.waitFor(async () => expect(await isReady(instance)).toBe(true), { timeout: 100_000, interval: 50 })
  return instance
}

async function isReady({ origin }: Instance): Promise<boolean> {
  const answer = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(3000) }).catch(() => undefined)
  return answer?.status === 200
}

const post = (origin: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${origin}/api/v7${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

type Load = {
  /** Emails of those whose account was acknowledged. */
  acknowledged: string[]
  /** How often each status came, reading and writing; `lost` where no answer came. */
  seen: Map<number | 'lost', number>
  stop(): Promise<void>
}

/** Everybody comes from elsewhere, so that limits do not stand in the way. */
const from = () => ({ 'x-forwarded-for': `10.${randomBytes(3).join('.')}` })

/** People who open accounts and search, each at whichever instance is ready when they ask. */
function people(count: number, ready: () => Instance[]): Load {
  const acknowledged: string[] = []
  const seen: Load['seen'] = new Map()
  const over = new AbortController()
  const note = (status: number | 'lost') => seen.set(status, (seen.get(status) ?? 0) + 1)
  const person = async () => {
    for (let turn = 0; !over.signal.aborted; turn++) {
      const asked = ready()
      const instance = asked[Math.floor(Math.random() * asked.length)]
      if (!instance) {
        await sleep(20)
        continue
      }
      if (turn % 4 === 0) {
        const email = `${randomUUID()}@example.test`
        const body = { name: 'Alex Morgan', email, password, is_adult: true, accept_terms: true }
        const answer = await post(instance.origin, '/client/register', body, from()).catch(() => undefined)
        if (answer?.status === 201) acknowledged.push(email)
        await answer?.arrayBuffer().catch(() => undefined)
        note(answer?.status ?? 'lost')
      } else {
        const answer = await fetch(`${instance.origin}/api/v7/practitioner/get-practitioners`, {
          headers: from(),
        }).catch(() => undefined)
        await answer?.arrayBuffer().catch(() => undefined)
        note(answer?.status ?? 'lost')
      }
    }
  }
  const all = Array.from({ length: count }, person)
  return {
    acknowledged,
    seen,
    async stop() {
      over.abort()
      await Promise.all(all)
    },
  }
}

/** What a balancer knows: the instances that last said they were ready, asked ten times a second. */
function balancer(): { ready(): Instance[]; stop(): void } {
  let ready = [...instances]
  const timer = setInterval(() => {
    for (const each of instances) {
      void isReady(each).then((isSo) => {
        ready = [...ready.filter((other) => other !== each), ...(isSo ? [each] : [])]
      })
    }
  }, 100)
  return {
    ready: () => ready.filter((each) => instances.includes(each)),
    stop: () => clearInterval(timer),
  }
}

const missing = async (emails: string[]) => {
  const rows = await database.db.selectFrom('accounts').select('email').where('email', 'in', emails).execute()
  const there = new Set(rows.map(({ email }) => email))
  return emails.filter((email) => !there.has(email))
}

test('without Redis, limits on signing in hold for all instances, and search and new accounts go on', async () => {
  await redis.stop()
  const [here, there] = instances as [Instance, Instance]
  const email = `${randomUUID()}@example.test`
  const body = { name: 'Alex Morgan', email, password, is_adult: true, accept_terms: true }
  expect((await post(here.origin, '/client/register', body)).status).toBe(201)
  const statuses: number[] = []
  for (let time = 0; time < 12; time++) {
    const { origin } = time % 2 ? here : there
    statuses.push((await post(origin, '/client/login', { email, password: 'not the right one' })).status)
  }
  expect(statuses.at(-1)).toBe(429)
  // The right one does not help any more, at either.
  expect((await post(here.origin, '/client/login', { email, password })).status).toBe(429)
  expect((await post(there.origin, '/client/login', { email, password })).status).toBe(429)
  expect((await fetch(`${there.origin}/api/v7/practitioner/get-practitioners`)).status).toBe(200)
  expect(await isReady(here)).toBe(true)
  await redis.start()
})

test('one instance dies under load: the other goes on, and does what it has left undone', async () => {
  const load = people(4, () => instances)
  await vi.waitFor(() => expect(load.acknowledged.length).toBeGreaterThan(8), { timeout: 30_000 })
  const [dying, other] = instances as [Instance, Instance]
  dying.process.kill('SIGKILL')
  await dying.ended
  instances = [other]
  const before = load.acknowledged.length
  await vi.waitFor(() => expect(load.acknowledged.length).toBeGreaterThan(before + 4), { timeout: 30_000 })
  await load.stop()
  expect([...load.seen.keys()].filter((status) => typeof status === 'number' && status >= 500)).toEqual([])
  expect(await missing(load.acknowledged)).toEqual([])

  // A job that the dead one had begun is given up after two minutes: let them have passed.
  await sql`update pgboss.job set started_on = started_on - interval '3 minutes' where state = 'active'`.execute(
    database.db,
  )
  await vi.waitFor(
    async () => {
      const written = welcomes()
      expect(load.acknowledged.filter((email) => !written.has(email))).toEqual([])
    },
    { timeout: 100_000, interval: 500 },
  )
  // A mail that went out twice, because nobody heard that it had, is the same mail for whoever reads it.
  for (const ids of welcomes().values()) expect(ids.size).toBe(1)
  instances.push(await start())
}, 180_000)

/** Ids of the welcome mails, by recipient. */
function welcomes(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const name of readdirSync(join(directory, 'mail'))) {
    if (!name.endsWith('.eml') || name.startsWith('.')) continue
    const text = readFileSync(join(directory, 'mail', name), 'utf8')
    const to = /^To: (.+)$/m.exec(text)?.[1]?.trim() ?? ''
    const id = /^Message-ID: (.+)$/im.exec(text)?.[1]?.trim() ?? ''
    found.set(to, (found.get(to) ?? new Set()).add(id))
  }
  return found
}

test('an upgrade that changes tables, one instance after the other, fails nobody’s request', async () => {
  const balance = balancer()
  const load = people(4, balance.ready)
  const old = [...instances]
  await sleep(500)
  // What the new version's migration does to tables that the old one goes on using.
  await sql`alter table accounts add column upgraded text not null default ''`.execute(database.db)
  await sql`alter table practitioners add column upgraded text not null default ''`.execute(database.db)
  await sql`alter table login_sessions add column upgraded text not null default ''`.execute(database.db)
  for (const before of old) {
    const begun = load.acknowledged.length
    instances.push(await start())
    before.process.kill('SIGTERM')
    await before.ended
    instances = instances.filter((each) => each !== before)
    await vi.waitFor(() => expect(load.acknowledged.length).toBeGreaterThan(begun + 2), { timeout: 30_000 })
  }
  await load.stop()
  balance.stop()
  expect([...load.seen.keys()].toSorted()).toEqual([200, 201])
  expect(load.acknowledged.length).toBeGreaterThan(6)
  expect(await missing(load.acknowledged)).toEqual([])
}, 180_000)

test(`PostgreSQL breaks down ${restarts} times under load: nothing acknowledged is lost, and no instance needs a restart`, async () => {
  const load = people(4, () => instances)
  const waits: number[] = []
  for (let time = 0; time < restarts; time++) {
    const begun = load.acknowledged.length
    await vi.waitFor(() => expect(load.acknowledged.length).toBeGreaterThan(begun + 2), { timeout: 30_000 })
    await cluster.halt()
    await vi.waitFor(async () => expect(await Promise.all(instances.map(isReady))).toEqual([false, false]), {
      timeout: 10_000,
    })
    await cluster.start()
    const back = performance.now()
    await vi.waitFor(async () => expect(await Promise.all(instances.map(isReady))).toEqual([true, true]), {
      timeout: 30_000,
      interval: 20,
    })
    waits.push(performance.now() - back)
  }
  const begun = load.acknowledged.length
  await vi.waitFor(() => expect(load.acknowledged.length).toBeGreaterThan(begun + 2), { timeout: 30_000 })
  await load.stop()
  process.stdout.write(`Ready again after ${waits.map((wait) => `${Math.round(wait)} ms`).join(', ')}.\n`)
  expect(await missing(load.acknowledged)).toEqual([])
  // Whoever asked meanwhile was told to try again in a moment, and no more.
  expect([...load.seen.keys()].toSorted()).toEqual([200, 201, 503])
  for (const each of instances) expect(each.process.exitCode).toBe(null)
}, 180_000)
