import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { systemClock } from '#server/clock.ts'
import { type Database, openServer } from '#server/db/connection.ts'
import { callsTo, type TestApp } from './build-test-app.ts'
import { connectChat } from './chat-socket.ts'
import { compileCache } from './compile-cache.ts'
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts'
import { createClient, createPractitioner, saveCard, signInToChat } from './factories.ts'
import { type Pooler, startPooler } from './pgbouncer.ts'
import { type Cluster, freePort, type Replica, startCluster, startReplica } from './private-cluster.ts'

/*
 * Two instances behind PgBouncer in transaction mode, on a primary whose commits wait for its replica, while people hold
 * and pay sessions and write in the chat. The primary is killed and the replica promoted. Roles and settings are those of
 * the manual.
 */

const main = fileURLToPath(new URL('../src/server/main.ts', import.meta.url))
const manual = readFileSync(new URL('../docs/operations.md', import.meta.url), 'utf8')
const part = (pattern: RegExp) => pattern.exec(manual)?.[1] ?? ''
const statements = [part(/```sql\n(create role[\s\S]*?)```/), part(/```sql\n(alter role[\s\S]*?)```/)]
  .join('')
  .split(/;\s*/)
  .filter((statement) => statement !== '')

const bookers = 6
const writers = 4

let primary: Cluster
let replica: Replica
let pooler: Pooler
let database: Database
/** An address that is moved to the new primary, for what a pooler cannot pass on. */
let direct: CuttingProxy
let directory: string
const instances: { origin: string; process: ChildProcess; ended: Promise<unknown> }[] = []

const on = (server: Pick<Cluster, 'url'>, role: string) => {
  const url = new URL(server.url)
  url.username = role
  url.pathname = '/hearth'
  return url.href
}

beforeAll(async () => {
  primary = await startCluster({ durable: true, settings: ['synchronous_standby_names=replica'] })
  // Nothing commits before there is one.
  replica = await startReplica(primary, { durable: true })
  const superuser = openServer(primary.url, 1, () => undefined, { limits: 'none' })
  expect(statements.length).toBeGreaterThan(7)
  for (const statement of statements) await sql.raw(statement).execute(superuser.db)
  await superuser.close()
  pooler = await startPooler({
    serverUrl: on(primary, ''),
    roles: ['hearth_product'],
    settings: part(/```ini\n(pool_mode[\s\S]*?)```/),
  })
  direct = await startCuttingProxy()
  direct.leadTo(primary.url)
  directory = mkdtempSync(join(tmpdir(), 'hearth-promotion-'))
  await start()
  await start()
  database = openServer(on(primary, 'hearth'), 3, () => undefined)
}, 300_000)

afterAll(async () => {
  for (const each of instances) each.process.kill('SIGKILL')
  await Promise.all(instances.map(({ ended }) => ended))
  await database.close()
  await pooler.stop()
  await direct.close()
  await replica.stop()
  await primary.stop()
  rmSync(directory, { recursive: true, force: true })
})

const secretKey = randomBytes(32).toString('base64')

async function start() {
  const port = String(await freePort())
  const child = spawn(process.execPath, [main], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH ?? '',
      ...compileCache,
      DATA_DIR: directory,
      DATABASE_URL: pooler.urlOf('hearth_product'),
      DATABASE_PREPARED: 'off',
      DATABASE_ADMIN_URL: on(primary, 'hearth_owner'),
      DATABASE_LISTEN_URL: on(
        { url: primary.url.replace(/:\d+\//, `:${new URL(direct.origin).port}/`) },
        'hearth_product',
      ),
      DATABASE_READ_URL: on(replica, 'hearth_product'),
      SECRET_KEY: secretKey,
      SEED: 'reference',
      LOG_LEVEL: 'fatal',
      TRUST_PROXY: '1',
      ALLOW_DEMO: '1',
      RATE_LIMIT_SCALE: '1000',
      PORT: port,
    },
  })
  const instance = {
    origin: `http://127.0.0.1:${port}`,
    process: child,
    ended: new Promise((resolve) => child.once('exit', resolve)),
  }
  instances.push(instance)
  await vi.waitFor(async () => expect(await isReady(instance)).toBe(true), { timeout: 120_000, interval: 50 })
}

async function isReady({ origin }: { origin: string }): Promise<boolean> {
  const answer = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(3000) }).catch(() => undefined)
  return answer?.status === 200
}

const seen = new Map<string, number>()
const note = (what: string) => void seen.set(what, (seen.get(what) ?? 0) + 1)
const over = new AbortController()
const acknowledged = {
  held: [] as string[],
  paid: [] as string[],
  booked: [] as string[],
  written: [] as string[],
}

/** Sends a change until it is answered by more than "try again", as the product's pages do. */
async function insist(origin: string, path: string, token: string, body: unknown) {
  const key = randomUUID()
  for (;;) {
    const response = await fetch(`${origin}/api/v7${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(body),
    }).catch(() => undefined)
    const answer = response && ((await response.json().catch(() => ({}))) as Record<string, unknown>)
    const status = response?.status ?? 0
    note(status < 300 ? String(status) : `${status} ${String(answer?.code)}`)
    if (status >= 200 && status < 300) return answer ?? {}
    if (status !== 503 && answer?.code !== 'request_in_progress') {
      throw new Error(`${path} answered ${status} ${String(answer?.code)}`)
    }
    await sleep(100)
  }
}

/** Times that a practitioner of the factories has, one after the other. */
function* times() {
  const first = new Date(Date.now() + 3 * 86_400_000)
  for (let day = 0; day < 50; day++) {
    for (let hour = 10; hour < 19; hour++) {
      yield new Date(
        Date.UTC(first.getUTCFullYear(), first.getUTCMonth(), first.getUTCDate() + day, hour),
      ).toISOString()
    }
  }
}

function placeAt(origin: string): TestApp {
  return {
    call: callsTo(origin),
    db: database.db,
    clock: systemClock,
    services: { search: { project: async () => undefined } },
  } as unknown as TestApp
}

/** A client who books one session after the other with a practitioner of their own. */
async function booker(origin: string) {
  const place = placeAt(origin)
  const practitioner = await createPractitioner(place)
  const client = await createClient(place, { email: `${randomUUID()}@example.test` })
  const card = await saveCard(place, client)
  return async () => {
    for (const datetime of times()) {
      if (over.signal.aborted) return
      const held = await insist(origin, '/appointment/create-session', client.token, {
        practitioner_id: practitioner.id,
        booking_type: 'schedule',
        service_id: 1,
        appointment_type: 'online',
        datetime,
      })
      const id = String(held.session_id)
      acknowledged.held.push(id)
      await insist(origin, '/payment/sandbox/existing-card-payment', client.token, {
        session_id: id,
        customer_id: card,
      })
      acknowledged.paid.push(id)
      await insist(origin, '/appointment/instant-book', client.token, { appointment_id: id })
      acknowledged.booked.push(id)
    }
    throw new Error('There are not enough times.')
  }
}

async function writer(origin: string) {
  const place = placeAt(origin)
  const practitioner = await createPractitioner(place)
  const client = await signInToChat(
    place,
    (await createClient(place, { email: `${randomUUID()}@example.test` })).token,
  )
  const opened = await place.call('POST', '/chat/dialogs', {
    token: client.token,
    body: { practitioner_id: practitioner.id },
  })
  const { socket, close } = await connectChat(origin, client.token, { origin: null, reconnection: true })
  return async () => {
    for (; !over.signal.aborted; await sleep(1050)) {
      const message = { _id: randomUUID(), chat_dialog_id: String(opened.body._id), message: 'Hello.' }
      for (let isTold = false; !isTold; ) {
        const answer = await socket
          .timeout(3000)
          .emitWithAck('send', message)
          .catch(() => undefined)
        isTold = answer?.ok === true
        note(answer === undefined ? 'message lost' : answer.ok ? 'message' : `message ${answer.error.code}`)
        if (!isTold) await sleep(200)
      }
      acknowledged.written.push(message._id)
    }
    close()
  }
}

const counts = () => Object.values(acknowledged).map(({ length }) => length)
/** Waits until so many more of each have been acknowledged. */
const more = async (wanted: number) => {
  const before = counts()
  await vi.waitFor(
    () => {
      for (const [index, count] of counts().entries()) {
        expect(count - (before[index] ?? 0)).toBeGreaterThanOrEqual(wanted)
      }
    },
    { timeout: 120_000, interval: 50 },
  )
}

test('the primary is killed under load and the replica promoted: ready again within 10 s, and nothing acknowledged is lost or doubled', {
  timeout: 600_000,
}, async () => {
  const at = (index: number) => instances[index % instances.length]?.origin ?? ''
  const people = [
    ...(await Promise.all(Array.from({ length: bookers }, (_, index) => booker(at(index))))),
    ...(await Promise.all(Array.from({ length: writers }, (_, index) => writer(at(index))))),
  ]
  const load = Promise.all(people.map((begin) => begin()))
  await more(20)
  const { rows: following } = await sql<{ name: string; mode: string }>`
    select application_name as name, sync_state as mode from pg_stat_replication`.execute(database.db)
  expect(following).toEqual([{ name: 'replica', mode: 'sync' }])
  await database.close()

  const before = counts()
  const killed = performance.now()
  await primary.kill()
  await vi.waitFor(async () => expect(await Promise.all(instances.map(isReady))).toEqual([false, false]), {
    timeout: 10_000,
    interval: 20,
  })
  const unready = performance.now()
  await replica.promote()
  const promoted = performance.now()
  pooler.leadTo(on(replica, ''))
  direct.leadTo(replica.url)
  await vi.waitFor(async () => expect(await Promise.all(instances.map(isReady))).toEqual([true, true]), {
    timeout: 30_000,
    interval: 20,
  })
  const ready = performance.now()
  await more(20)
  over.abort()
  await load
  database = openServer(on(replica, 'hearth'), 3, () => undefined)

  const ms = (from: number, to: number) => `${Math.round(to - from)} ms`
  process.stdout.write(
    `Noticed after ${ms(killed, unready)}, promoted in ${ms(unready, promoted)}, ready ${ms(promoted, ready)} later.\n` +
      `Held, paid, booked, written before: ${before.join(', ')}; at the end: ${counts().join(', ')}.\n` +
      `Answers: ${[...seen].map(([what, count]) => `${what}: ${count}`).join(', ')}.\n`,
  )
  expect(ready - killed).toBeLessThan(10_000)
  // While there was no primary, callers were asked to try again, and nothing worse.
  expect(
    [...seen.keys()].filter(
      (what) => !/^(20[01]|503 (payment_)?unavailable|409 request_in_progress)$|^message/.test(what),
    ),
  ).toEqual([])
  for (const each of instances) expect(each.process.exitCode).toBe(null)

  // Behind the pooler a lock that outlived its transaction would be held for ever, by another one's session.
  await vi.waitFor(async () => {
    const { rows } = await sql`select from pg_locks where locktype = 'advisory'`.execute(database.db)
    expect(rows).toEqual([])
  })

  await vi.waitFor(async () => {
    const { rows } = await sql`select from pg_stat_activity where application_name = 'hearth live'`.execute(
      database.db,
    )
    expect(rows).toHaveLength(instances.length)
  })

  const { held, paid, booked, written } = acknowledged
  expect(new Set([...held, ...paid]).size).toBe(booked.length)
  const { rows: sessions } = await sql<{ id: string; state: string; captured: number; payments: number }>`
    select a.id, a.state, count(g.ref)::int as payments, count(g.ref) filter (where g.state = 'captured')::int as captured
    from appointments a left join payment_intents i on i.appointment_id = a.id
      left join sandbox_gateway.payments g on g.idempotency_key = i.id::text
    group by a.id, a.state`.execute(database.db)
  const isConfirmed = ({ state }: { state: string }) => state === 'confirmed'
  // All that there are, so that none has a double.
  expect(
    sessions
      .filter(isConfirmed)
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(booked.toSorted())
  expect(
    sessions.filter((each) => isConfirmed(each) && (each.captured !== 1 || each.payments !== 1)),
  ).toEqual([])
  // A hold of which the client was not told has given way to the one they asked for again.
  const untold = sessions.filter((each) => !isConfirmed(each))
  expect(untold.filter(({ state, payments }) => state !== 'expired' || payments > 0)).toEqual([])
  expect(untold.length).toBeLessThanOrEqual(bookers)
  const { rows: books } = await sql<{ sum: number; paid: number; due: number }>`
    select (select coalesce(sum(amount_pence), 0)::int from ledger_entries) as sum,
      (select coalesce(sum(amount_pence), 0)::int from ledger_entries where account = 'gateway_balance') as paid,
      (select sum(fee_pence - discount_pence)::int from appointments where state = 'confirmed') as due`.execute(
    database.db,
  )
  expect(books).toEqual([{ sum: 0, paid: books[0]?.due, due: books[0]?.due }])
  const stored = await database.db.selectFrom('chat_messages').select(['id', 'dialog_id', 'seq']).execute()
  expect(stored.map(({ id }) => id).toSorted()).toEqual(written.toSorted())
  const last = Map.groupBy(stored, ({ dialog_id }) => dialog_id)
  for (const messages of last.values()) {
    expect(messages.map(({ seq }) => seq).toSorted((a, b) => a - b)).toEqual(
      messages.map((_, index) => index + 1),
    )
  }
})
