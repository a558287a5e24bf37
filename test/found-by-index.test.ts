import { readdirSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days, hours, later } from '#server/clock.ts'
import { batchOf } from '#server/db/batch.ts'
import type { Database } from '#server/db/connection.ts'
import type { Job } from '#server/jobs/queue.ts'
import type { TestApp } from './build-test-app.ts'
import { clusterDatabase } from './cluster-database.ts'
import { buildDemoApp } from './demo.ts'
import { bookSession, createClient, createPractitioner, password } from './factories.ts'
import { emptyDatabase, lasting } from './test-database.ts'
import { cancelSession } from './waitlist.ts'

/*
 * Tables that grow with the years are never read from end to end by what happens by itself, and a row that goes finds
 * those that name it by an index.
 */

/** Tables whose rows are never deleted. */
const kept = new Set([...lasting, 'practitioners', 'locations', 'platform_charges'])

test('every foreign key to a table whose rows are deleted has an index', async () => {
  const { db } = await emptyDatabase()
  const { rows } = await sql<{ key: string; named: string }>`
    select f.conrelid::regclass || '.' || a.attname as key, f.confrelid::regclass::text as named
    from pg_constraint f join pg_attribute a on a.attrelid = f.conrelid and a.attnum = f.conkey[1]
    where f.contype = 'f' and f.connamespace = 'public'::regnamespace and not exists (
      select from pg_index i where i.indrelid = f.conrelid and i.indkey[0] = f.conkey[1]
        and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) = format('(%I IS NOT NULL)', a.attname)))
    order by 1`.execute(db)
  expect(rows.filter(({ named }) => !kept.has(named)).map(({ key }) => key)).toEqual([])
})

/** What may be read from end to end: tables with a row for each practitioner, and those whose rows stay for days alone. */
const small = new Set([
  'practitioners',
  'practitioner_search',
  'practitioner_search_removed',
  'search_wishes',
  'waitlist_marks',
  'mail_tokens',
  'idempotency_keys',
  'audit_head',
])

describe('of what the demo has', () => {
  let app: TestApp
  let database: Database
  let end: () => Promise<void>
  let asked: Map<string, readonly unknown[]> | undefined

  beforeAll(async () => {
    ;({ database } = await clusterDatabase(10, ({ query }) => {
      for (const each of batchOf(query)?.queries ?? [query]) {
        if (/^\s*(select|with|update|delete)\b/i.test(each.sql)) asked?.set(each.sql, each.parameters)
      }
    }))
    ;({ app, end } = await buildDemoApp({ database }))
  })
  afterAll(() => end())

  /** What the work asks that reads a large table from end to end. */
  async function whole(work: () => Promise<unknown>): Promise<string[]> {
    asked = new Map()
    await work()
    const statements = asked
    asked = undefined
    expect(statements.size).toBeGreaterThan(10)
    const found: string[] = []
    for (const [text, parameters] of statements) {
      const tables = (await readWhole(database, text, parameters)).filter((table) => !small.has(table))
      if (tables.length > 0) found.push(`${tables.join(', ')}: ${text.replace(/\s+/g, ' ').trim()}`)
    }
    return found
  }

  test('the jobs that come by themselves find their rows by indexes', async () => {
    const jobs = await recurringJobs()
    expect(jobs.length).toBeGreaterThan(10)
    const work = async () => {
      for (const passed of [hours(1), days(3), days(40)]) {
        app.clock.advance(passed)
        for (const job of jobs) await app.queue.enqueue(app.db, job, {})
        await app.queue.drain()
      }
    }
    expect(await whole(work)).toEqual([])
  })

  test('so do the export and the deletion of an account', async () => {
    const client = await createClient(app)
    const practitioner = await createPractitioner(app)
    const startsAt = later(app.clock.now(), days(7)).toISOString().replace(/T.*/, 'T09:00:00Z')
    const session = await bookSession(app, { practitioner, client, startsAt })
    expect((await cancelSession(app, client, session)).status).toBe(200)
    await app.queue.drain()
    const { token } = client
    const work = async () => {
      expect((await app.call('GET', '/client/export', { token })).status).toBe(200)
      const body = { current_password: password, understood: true }
      const deleted = await app.call('POST', '/client/delete-account', { token, body })
      expect(deleted.status).toBe(200)
      await app.queue.drain()
    }
    expect(await whole(work)).toEqual([])
  })
})

/** The jobs with a time of their own, of all modules. */
async function recurringJobs(): Promise<Job[]> {
  const root = new URL('../src/server/', import.meta.url)
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.jobs.ts') || file.endsWith('jobs/housekeeping.ts'),
  )
  const modules = await Promise.all(
    files.map((file) => import(new URL(file, root).href) as Promise<Record<string, unknown>>),
  )
  return modules.flatMap((module) => Object.values(module)).filter(isRecurring)
}

const isRecurring = (exported: unknown): exported is Job =>
  typeof exported === 'object' && exported !== null && 'every' in exported

/** The tables that a statement has to read from end to end, since no index leads to its rows. */
async function readWhole(
  database: Database,
  text: string,
  parameters: readonly unknown[],
): Promise<string[]> {
  if (database.engine.kind !== 'server') throw new Error('There is no server to ask.')
  const client = await database.engine.pool.connect()
  try {
    await client.query('set enable_seqscan = off')
    const { rows } = await client.query(`explain (format json) ${text}`, [...parameters])
    return tablesOf(rows)
  } finally {
    // Its settings end with it.
    client.release(true)
  }
}

/** The tables of the sequential scans in a plan. */
function tablesOf(plan: unknown): string[] {
  if (typeof plan !== 'object' || plan === null) return []
  const { 'Node Type': kind, 'Relation Name': table } = plan as Record<string, unknown>
  const own = kind === 'Seq Scan' && typeof table === 'string' ? [table] : []
  return [...own, ...Object.values(plan).flatMap(tablesOf)]
}
