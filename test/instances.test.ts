import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { systemClock } from '#server/clock.ts'
import { type Database, openServer } from '#server/db/connection.ts'
import { startBalancer } from './balancer.ts'
import { callsTo, type TestApp } from './build-test-app.ts'
import { connectChat } from './chat-socket.ts'
import { compileCache } from './compile-cache.ts'
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts'
import { createClient, createPractitioner, password, signInToChat } from './factories.ts'
import { type Cluster, freePort, startCluster } from './private-cluster.ts'
import { type PrivateRedis, startRedis } from './private-redis.ts'

/*
 * Two instances of the product as they are run, on one PostgreSQL and one Redis, while people use them: what of it may
 * go away, and what must hold meanwhile.
 */

const main = fileURLToPath(new URL('../src/server/main.ts', import.meta.url))
const restarts = process.env.ENDURANCE === 'full' ? 10 : 3
const stops = process.env.ENDURANCE === 'full' ? 10 : 2

type Instance = { origin: string; process: ChildProcess; ended: Promise<unknown> }

let cluster: Cluster
let redis: PrivateRedis
let directory: string
let database: Database
let environment: Record<string, string>
let instances: Instance[] = []
/** Every process that was started, and every load, so that none outlives a test that fails. */
const started: Instance[] = []
const loads: AbortController[] = []

beforeAll(async () => {
  cluster = await startCluster({ durable: true })
  redis = await startRedis()
  directory = mkdtempSync(join(tmpdir(), 'hearth-instances-'))
  database = openServer(cluster.url, 3, () => undefined)
  environment = {
    PATH: process.env.PATH ?? '',
    ...compileCache,
    DATA_DIR: directory,
    DATABASE_URL: cluster.url,
    REDIS_URL: redis.url,
    SECRET_KEY: randomBytes(32).toString('base64'),
    SEED: 'reference',
    LOG_LEVEL: 'fatal',
    // The balancer asks ten times a second: on a busy machine it needs more than one.
    DRAIN_SECONDS: '3',
    TRUST_PROXY: '1',
    ALLOW_DEMO: '1',
  }
  instances = await Promise.all([start(), start()])
}, 120_000)

afterEach(() => {
  for (const load of loads.splice(0)) load.abort()
})

afterAll(async () => {
  for (const each of started) each.process.kill('SIGKILL')
  await Promise.all(started.map(({ ended }) => ended))
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
  started.push(instance)
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
  /** How often each status came, reading and writing, and why no answer did. */
  seen: Map<number | string, number>
  stop(): Promise<void>
}

/** A new address for each request, so that rate limits do not apply. */
const from = () => ({ 'x-forwarded-for': `10.${randomBytes(3).join('.')}` })

/** People who open accounts and search, each at whichever instance is ready when they ask. */
function people(count: number, ready: () => readonly { origin: string }[]): Load {
  const acknowledged: string[] = []
  const seen: Load['seen'] = new Map()
  const over = new AbortController()
  loads.push(over)
  const note = (what: number | string) => seen.set(what, (seen.get(what) ?? 0) + 1)
  const lost = (error: { message: string; cause?: { code?: string } }) => {
    note(`lost: ${error.cause?.code ?? error.message}`)
  }
  /** The status of a response, as soon as it has come; undefined where none does. */
  const statusOf = async (asked: Promise<Response>) => {
    const answer = await asked.catch(lost)
    if (answer) await answer.arrayBuffer().then(() => note(answer.status), lost)
    return answer?.status
  }
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
        const status = await statusOf(post(instance.origin, '/client/register', body, from()))
        if (status === 201) acknowledged.push(email)
      } else {
        await statusOf(fetch(`${instance.origin}/api/v7/practitioner/get-practitioners`, { headers: from() }))
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

/** People who write in the chat by its socket; who was not told of a message sends it again. */
async function writers(count: number, origin: string) {
  const calls = { call: callsTo(origin) }
  const place = {
    ...calls,
    db: database.db,
    clock: systemClock,
    services: { search: { project: async () => undefined } },
  } as unknown as TestApp
  const practitioner = await createPractitioner(place)
  const over = new AbortController()
  loads.push(over)
  const acknowledged: string[] = []
  const refused: string[] = []
  const write = async () => {
    const client = await signInToChat(
      calls,
      (await createClient(place, { email: `${randomUUID()}@example.test` })).token,
    )
    const opened = await calls.call('POST', '/chat/dialogs', {
      token: client.token,
      body: { practitioner_id: practitioner.id },
    })
    const { socket, close } = await connectChat(origin, client.token, { origin: null, reconnection: true })
    for (; !over.signal.aborted; await sleep(1100)) {
      const sent = { _id: randomUUID(), chat_dialog_id: String(opened.body._id), message: 'Hello.' }
      for (let isTold = false; !isTold; ) {
        const answer = await socket
          .timeout(3000)
          .emitWithAck('send', sent)
          .catch(() => undefined)
        isTold = answer !== undefined
        if (answer?.ok) acknowledged.push(sent._id)
        else if (answer) refused.push(answer.error.code)
      }
    }
    close()
  }
  const all = Array.from({ length: count }, write)
  return {
    acknowledged,
    refused,
    async stop() {
      over.abort()
      await Promise.all(all)
    },
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

  // A job that the dead one had begun is given up after two minutes, and its mail after three: let them have passed.
  await sql`update pgboss.job set started_on = started_on - interval '3 minutes' where state = 'active'`.execute(
    database.db,
  )
  await sql`update outgoing_mails set claimed_until = now() where claimed_until > now()`.execute(database.db)
  await vi.waitFor(
    async () => {
      const written = welcomes()
      expect(load.acknowledged.filter((email) => !written.has(email))).toEqual([])
    },
    { timeout: 100_000, interval: 500 },
  )
  // A mail sent twice, because the first sending was not recorded, has the same message id both times.
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

test(`an upgrade that changes tables: ${stops} instances are stopped under load, and no request fails`, async () => {
  const balancer = await startBalancer()
  for (const { origin } of instances) balancer.add(origin)
  await sleep(500)
  const load = people(4, () => [balancer])
  const chat = await writers(3, balancer.origin)
  await vi.waitFor(() => expect(chat.acknowledged.length).toBeGreaterThan(2), { timeout: 30_000 })
  // What the new version's migration does to tables that the old one goes on using.
  await sql`alter table accounts add column upgraded text not null default ''`.execute(database.db)
  await sql`alter table practitioners add column upgraded text not null default ''`.execute(database.db)
  await sql`alter table login_sessions add column upgraded text not null default ''`.execute(database.db)
  for (let stop = 0; stop < stops; stop++) {
    const [before] = instances as [Instance]
    const [begun, written] = [load.acknowledged.length, chat.acknowledged.length]
    const after = await start()
    instances.push(after)
    balancer.add(after.origin)
    before.process.kill('SIGTERM')
    expect(await before.ended).toBe(0)
    balancer.remove(before.origin)
    instances = instances.filter((each) => each !== before)
    await vi.waitFor(
      () => {
        expect(load.acknowledged.length).toBeGreaterThan(begun + 2)
        expect(chat.acknowledged.length).toBeGreaterThan(written + 2)
      },
      { timeout: 30_000 },
    )
  }
  await Promise.all([load.stop(), chat.stop()])
  await balancer.close()
  expect(balancer.failures).toEqual([])
  expect([...load.seen.keys()].toSorted()).toEqual([200, 201])
  expect(await missing(load.acknowledged)).toEqual([])
  expect(chat.refused).toEqual([])
  const stored = await database.db
    .selectFrom('chat_messages')
    .select('id')
    .where('id', 'in', chat.acknowledged)
    .execute()
  expect(stored).toHaveLength(chat.acknowledged.length)
}, 600_000)

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
  // During the outage callers got 503, and no other error.
  expect([...load.seen.keys()].toSorted()).toEqual([200, 201, 503])
  for (const each of instances) expect(each.process.exitCode).toBe(null)
}, 180_000)

const timed = async (call: Promise<Response>) => {
  const begun = performance.now()
  const answer = await call
  await answer.arrayBuffer()
  return {
    status: answer.status,
    retryAfter: answer.headers.get('retry-after'),
    ms: performance.now() - begun,
  }
}

describe('an instance whose database goes silent', () => {
  let proxy: CuttingProxy
  let instance: Instance
  beforeAll(async () => {
    proxy = await startCuttingProxy()
    proxy.leadTo(cluster.url)
    const address = new URL(cluster.url)
    address.port = new URL(proxy.origin).port
    instance = await start({ DATABASE_URL: address.href, DATABASE_POOL: '5' })
  }, 120_000)
  afterAll(() => proxy.close())

  /** Reads the database each time, unlike a search. */
  const ask = () => timed(fetch(`${instance.origin}/api/v7/filter/need-assistance`, { headers: from() }))
  const readyAfter = async () => {
    const begun = performance.now()
    await vi.waitFor(async () => expect(await isReady(instance)).toBe(true), {
      timeout: 10_000,
      interval: 20,
    })
    return performance.now() - begun
  }

  test.each([
    ['all of its connections go on afterwards', false],
    ['its old connections are dead for good', true],
  ])('answers 503 within 5 s and is ready within 2 s of its return, where %s', async (_which, newOnly) => {
    await Promise.all(Array.from({ length: 8 }, ask))
    proxy.silence()
    const first = await Promise.all(Array.from({ length: 20 }, ask))
    expect(new Set(first.map(({ status, retryAfter }) => `${status} ${retryAfter}`))).toEqual(
      new Set(['503 2']),
    )
    expect(Math.max(...first.map(({ ms }) => ms))).toBeLessThan(5000)
    // From then on none waits.
    expect(await isReady(instance)).toBe(false)
    const second = await Promise.all(Array.from({ length: 20 }, ask))
    expect(second.every(({ status, ms }) => status === 503 && ms < 1000)).toBe(true)
    proxy.speak({ newOnly })
    const back = await readyAfter()
    const third = await Promise.all(Array.from({ length: 20 }, ask))
    process.stdout.write(
      `503 after ${Math.round(Math.max(...first.map(({ ms }) => ms)))} ms, ready after ${Math.round(back)} ms.\n`,
    )
    expect(back).toBeLessThan(2000)
    expect(third.every(({ status, ms }) => status === 200 && ms < 2000)).toBe(true)
  })

  test('replaces idle connections that died unnoticed once one of them is found out', async () => {
    await Promise.all(Array.from({ length: 8 }, ask))
    proxy.silence()
    proxy.speak({ newOnly: true })
    // One may get a connection that was being made: it counts as new.
    const met = await Promise.all([ask(), ask()])
    expect(met.map(({ status }) => status)).toContain(503)
    expect(Math.max(...met.map(({ ms }) => ms))).toBeLessThan(5000)
    const later = await Promise.all(Array.from({ length: 8 }, ask))
    expect(later.every(({ status, ms }) => status === 200 && ms < 2000)).toBe(true)
  })

  test('ends at SIGTERM all the same', async () => {
    proxy.silence()
    const asked = ask().catch(() => undefined)
    await sleep(200)
    const begun = performance.now()
    instance.process.kill('SIGTERM')
    await instance.ended
    process.stdout.write(`Ended after ${Math.round(performance.now() - begun)} ms.\n`)
    expect(performance.now() - begun).toBeLessThan(15_000)
    expect([503, undefined]).toContain((await asked)?.status)
  })
})

test('a process that stops in the middle of a transaction holds others up for less than 5 s', async () => {
  const [instance] = instances as [Instance]
  const register = () =>
    timed(
      post(
        instance.origin,
        '/client/register',
        {
          name: 'Alex Morgan',
          email: `${randomUUID()}@example.test`,
          password,
          is_adult: true,
          accept_terms: true,
        },
        from(),
      ),
    )
  const stopped = openServer(cluster.url, 1, () => undefined)
  const held = Promise.withResolvers<void>()
  const resumed = Promise.withResolvers<void>()
  const transaction = stopped.db.transaction().execute(async (tx) => {
    await sql`lock table accounts in share mode`.execute(tx)
    held.resolve()
    await resumed.promise
    await sql`insert into installation (key, value) values ('late', 'late')`.execute(tx)
  })
  await held.promise
  const answers = await Promise.all(Array.from({ length: 5 }, register))
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
  expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(5000)
  resumed.resolve()
  await expect(transaction).rejects.toThrow()
  const late = await database.db.selectFrom('installation').where('key', '=', 'late').select('key').execute()
  expect(late).toEqual([])
  await stopped.close()
})

test('an instance that is frozen under load stalls no other for 5 s, and works again when it goes on', async () => {
  const [frozen, other] = instances as [Instance, Instance]
  const load = people(4, () => instances)
  await sleep(1000)
  frozen.process.kill('SIGSTOP')
  instances = [other]
  const waits: number[] = []
  const begun = performance.now()
  while (performance.now() - begun < 6000) {
    const body = {
      name: 'A',
      email: `${randomUUID()}@example.test`,
      password,
      is_adult: true,
      accept_terms: true,
    }
    const { status, ms } = await timed(
      post(other.origin, '/client/register', { ...body, name: 'Alex' }, from()),
    )
    expect([201, 503]).toContain(status)
    waits.push(ms)
  }
  expect(Math.max(...waits)).toBeLessThan(5000)
  frozen.process.kill('SIGCONT')
  instances = [frozen, other]
  await load.stop()
  await vi.waitFor(async () => expect(await isReady(frozen)).toBe(true), { timeout: 5000, interval: 20 })
  process.stdout.write(
    `The longest answer beside a frozen instance took ${Math.round(Math.max(...waits))} ms.\n`,
  )
  expect([...load.seen.keys()].filter((status) => ![200, 201, 503].includes(Number(status)))).toEqual([])
}, 60_000)
