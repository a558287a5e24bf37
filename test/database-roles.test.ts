import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { type Database, openServer } from '#server/db/connection.ts'
import { sqlState } from '#server/db/transaction.ts'
import { housekeepingJob } from '#server/jobs/housekeeping.ts'
import { buildTestApp, type TestApp } from './build-test-app.ts'
import { compileCache } from './compile-cache.ts'
import {
  bookSession,
  createAdmin,
  createClient,
  createPractitioner,
  ledger,
  openChat,
  password,
  saveTherapistCard,
  signInAgain,
  signInPractitioner,
} from './factories.ts'
import { movableClock } from './movable-clock.ts'
import { freePort } from './private-cluster.ts'
import { addAcceptedFacts, backOfficeAs } from './vetting.ts'

const main = fileURLToPath(new URL('../src/server/main.ts', import.meta.url))
const manual = readFileSync(new URL('../docs/operations.md', import.meta.url), 'utf8')

let owner: Database
let product: Database
let app: TestApp
let server: ChildProcess
let origin: string
let directory: string
let urls: { owner: string; product: string }
const name = `hearth_roles_${process.pid}_${Date.now()}`

/** The statements of the manual, for a database and roles that no other test has. */
const statements = (/```sql\n(create role[\s\S]*?)```/.exec(manual)?.[1] ?? '')
  .replaceAll(/\bhearth_(owner|product)\b/g, `${name}_$1`)
  .replaceAll(/database hearth\b/g, `database ${name}`)
  .split(/;\s*/)
  .filter((statement) => statement !== '')

beforeAll(async () => {
  const cluster = inject('cluster')
  if ('missing' in cluster) throw new Error(cluster.missing)
  const superuser = openServer(cluster.url, 1, () => undefined, { limits: 'none' })
  expect(statements.length).toBeGreaterThan(3)
  for (const statement of statements) await sql.raw(statement).execute(superuser.db)
  await superuser.close()
  const as = (role: string) => {
    const url = new URL(cluster.url)
    url.username = `${name}_${role}`
    url.pathname = `/${name}`
    return url.href
  }
  urls = { owner: as('owner'), product: as('product') }
  directory = mkdtempSync(join(tmpdir(), 'hearth-roles-'))
  await start()
  owner = openServer(urls.owner, 2, () => undefined)
  product = openServer(urls.product, 10, () => undefined)
  app = await buildTestApp({ database: product, clock: movableClock(new Date().toISOString()) })
}, 180_000)

afterAll(async () => {
  await app.close()
  await owner.close()
  server.kill('SIGKILL')
  rmSync(directory, { recursive: true, force: true })
})

const environmentOf = (more: Record<string, string>) => ({
  PATH: process.env.PATH,
  ...compileCache,
  DATA_DIR: directory,
  SECRET_KEY: randomBytes(32).toString('base64'),
  SEED: 'reference',
  LOG_LEVEL: 'fatal',
  ...more,
})

/** The product as it is run, on an empty database with both roles. */
async function start() {
  const port = String(await freePort())
  origin = `http://127.0.0.1:${port}`
  server = spawn(process.execPath, [main], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: environmentOf({ DATABASE_URL: urls.product, DATABASE_ADMIN_URL: urls.owner, PORT: port }),
  })
  const isReady = async () => (await fetch(`${origin}/readyz`).catch(() => undefined))?.status === 200
  await vi.waitFor(async () => expect(await isReady()).toBe(true), { timeout: 120_000, interval: 100 })
}

const refused = (statement: string, from: Database = product) =>
  sql
    .raw(statement)
    .execute(from.db)
    .then(
      () => 'done',
      (error: unknown) => sqlState(error),
    )

const appendOnly = [
  'audit_log',
  'ledger_transactions',
  'ledger_entries',
  'invoices',
  'payouts',
  'payout_reversals',
]

describe("the product's role", () => {
  test.each(appendOnly)('cannot change, delete, truncate or disarm %s', async (table) => {
    const { rows } = await sql<{ column: string }>`
      select column_name as column from information_schema.columns
      where table_name = ${table} and is_identity = 'NO' order by ordinal_position limit 1`.execute(owner.db)
    const column = rows[0]?.column
    const statements = [
      `update ${table} set ${column} = ${column}`,
      `delete from ${table}`,
      `truncate ${table} cascade`,
      `create trigger mine before insert on ${table} for each row execute function forbid_change()`,
      `alter table ${table} disable trigger all`,
      `drop trigger ${table}_append_only on ${table}`,
      `drop table ${table} cascade`,
      `alter table ${table} owner to ${name}_product`,
    ]
    for (const statement of statements)
      expect([statement, await refused(statement)]).toEqual([statement, '42501'])
    expect(await refused(`select count(*) from ${table}`)).toBe('done')
  })

  test('cannot switch triggers off, become the owner, or make tables', async () => {
    const statements = [
      'set session_replication_role = replica',
      `set role ${name}_owner`,
      'create table mine (id int)',
      'create table pgboss.mine (id int)',
      'create schema mine',
      'create or replace function forbid_change() returns trigger language plpgsql as $$ begin return new; end $$',
      "insert into kysely_migration (name, timestamp) values ('mine', 'now')",
      "insert into audit_head (id, seq, hash) values (1, 0, sha256(''))",
      'update audit_head set seq = 0',
      'delete from audit_head',
    ]
    for (const statement of statements)
      expect([statement, await refused(statement)]).toEqual([statement, '42501'])
  })

  test('can use tables that come after it was granted its rights', async () => {
    await sql`create table later_notes (id int generated always as identity, words text)`.execute(owner.db)
    await sql`create table pgboss.later_notes (id int)`.execute(owner.db)
    expect(await refused("insert into later_notes (words) values ('a')")).toBe('done')
    expect(await refused("update later_notes set words = 'b'")).toBe('done')
    expect(await refused('delete from pgboss.later_notes')).toBe('done')
  })

  test('stops the start when it could take its rights back', async () => {
    const mighty = spawn(process.execPath, [main], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: environmentOf({ DATABASE_URL: urls.owner, DATABASE_ADMIN_URL: superuserUrl(), PORT: '0' }),
    })
    let words = ''
    mighty.stderr.on('data', (chunk: Buffer) => {
      words += chunk.toString()
    })
    expect(await new Promise((resolve) => mighty.once('exit', resolve))).toBe(1)
    expect(words).toContain('See docs/operations.md for the two roles.')
  })
})

const superuserUrl = () => {
  const cluster = inject('cluster')
  if ('missing' in cluster) throw new Error(cluster.missing)
  return cluster.url.replace(/postgres$/, name)
}

describe("under the product's role", () => {
  test('the running product registers an account, and does the job that comes of it', async () => {
    const email = `${name}@example.test`
    const answer = await fetch(`${origin}/api/v7/client/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Alex', email, password, is_adult: true, accept_terms: true }),
    })
    expect(answer.status).toBe(201)
    const done = () =>
      sql<{ count: number }>`select count(*)::int as count from pgboss.job
        where name = 'mail.send' and state = 'completed'`.execute(product.db)
    await vi.waitFor(async () => expect((await done()).rows[0]?.count).toBe(1), { timeout: 20_000 })
    server.kill('SIGTERM')
    expect(await new Promise((resolve) => server.once('exit', resolve))).toBe(0)
  })

  test('people book, pay, write, cancel and leave; admins decide, and are written down', async () => {
    const admin = await createAdmin(app)
    const client = await createClient(app)
    const practitioner = await createPractitioner(app)
    const startsAt = new Date(app.clock.now().getTime() + 7 * 86_400_000)
    startsAt.setUTCHours(12, 0, 0, 0)
    const booked = await bookSession(app, { client, practitioner, startsAt: startsAt.toISOString() })
    const chat = await openChat(app)
    const written = await app.call('POST', '/chat/messages', {
      token: chat.client.token,
      body: { chat_dialog_id: chat.dialog, message: 'Hello' },
    })
    expect(written.status).toBe(201)
    const cancelled = await app.call('POST', '/appointment/cancel-session', {
      token: client.token,
      body: { appointment_id: booked },
    })
    expect(cancelled.status).toBe(200)
    expect(Object.values(await ledger(app)).reduce((sum, pence) => sum + pence, 0)).toBe(0)

    const therapist = await signInPractitioner(app, await createPractitioner(app, { subscribedUntil: null }))
    const method = await saveTherapistCard(app, therapist)
    const subscribed = await app.call('POST', '/therapist/subscription/subscribe', {
      token: therapist,
      body: { payment_method_id: method },
    })
    expect(subscribed.status).toBeLessThan(300)

    const waiting = await createPractitioner(app, { state: 'submitted' })
    await addAcceptedFacts(app, waiting)
    expect((await backOfficeAs(app, admin.token).act(waiting.id, 'approve')).status).toBe(200)
    const entries = await app.db.selectFrom('audit_log').select(['action', 'actor_id']).execute()
    expect(entries).toContainEqual({ action: 'approve', actor_id: admin.id })

    const again = await signInAgain(app, client)
    const left = await app.call('POST', '/client/delete-account', {
      token: again.token,
      body: { current_password: password, understood: true },
    })
    expect(left.status).toBeLessThan(300)
    await app.queue.enqueue(app.db, housekeepingJob, {})
    await app.queue.drain()
    const { rows: failed } = await sql`
      select name, output from pgboss.job where state in ('failed', 'retry')`.execute(app.db)
    expect(failed).toEqual([])
    expect(app.logged()).not.toContain('42501')
  })
})

test("postcodes are imported with the owner's role, and without it nothing changes", async () => {
  const data = join(directory, 'postcodes')
  const file = join(directory, 'ONSPD_AUG_2026_UK.csv')
  writeFileSync(file, 'pcds,doterm,lat,long\nYO1 7HH,,53.962213,-1.082097\n')
  const command = fileURLToPath(new URL('../src/server/commands/import-postcodes.ts', import.meta.url))
  const run = (more: Record<string, string>) =>
    promisify(execFile)(process.execPath, [command, file], {
      env: { PATH: process.env.PATH, DATA_DIR: data, DATABASE_URL: urls.product, ...more },
    })
  await expect(run({})).rejects.toMatchObject({ code: 1 })
  expect(existsSync(data)).toBe(false)
  const { stdout } = await run({ DATABASE_ADMIN_URL: urls.owner })
  expect(stdout).toContain('1 postcodes of AUG_2026 are imported.')
  expect(readdirSync(data)).toEqual(['postcodes.bin'])
})

test("a dump by the product's role that the owner restores leaves both roles their rights", async () => {
  const cluster = inject('cluster')
  if ('missing' in cluster) throw new Error(cluster.missing)
  const run = promisify(execFile)
  const file = join(directory, 'hearth.dump')
  const dump = ['--format=custom', '--no-owner', `--file=${file}`, urls.product]
  await run(join(cluster.programs, 'pg_dump'), dump)
  const superuser = openServer(cluster.url, 1, () => undefined, { limits: 'none' })
  await sql.raw(`create database ${name}_restored owner ${name}_owner`).execute(superuser.db)
  await superuser.close()
  const restored = (url: string) => `${url}_restored`
  const into = ['--exit-on-error', '--no-owner', `--dbname=${restored(urls.owner)}`, file]
  await run(join(cluster.programs, 'pg_restore'), into)
  const again = openServer(restored(urls.product), 1, () => undefined)
  for (const table of appendOnly) {
    expect(await refused(`select count(*) from ${table}`, again)).toBe('done')
    expect(await refused(`delete from ${table}`, again)).toBe('42501')
  }
  expect(await refused('create table mine (id int)', again)).toBe('42501')
  await again.close()
})
