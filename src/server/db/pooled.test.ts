import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { clusterDatabase } from '#test/cluster-database.ts'
import { type Database, openServer, type ServerOptions } from './connection.ts'
import { prepare } from './prepared.ts'
import { requireTimeLimits } from './time-limits.ts'

const role = `hearth_pooled_${process.pid}_${Date.now()}`
let owner: Database
let url: string
const opened: Database[] = []

beforeAll(async () => {
  ;({ database: owner, url } = await clusterDatabase(1))
  await sql.raw(`create role ${role} login`).execute(owner.db)
})
afterAll(async () => {
  for (const each of opened) await each.close()
  await sql.raw(`drop role ${role}`).execute(owner.db)
  await owner.close()
})

function open(options: ServerOptions): Database['db'] {
  const address = new URL(url)
  address.username = role
  const database = openServer(address.href, 1, () => undefined, options)
  opened.push(database)
  return database.db
}

const limits = async (db: Database['db']) => {
  const { rows } = await sql<{ limits: string }>`
    select concat_ws(' ', current_setting('statement_timeout'), current_setting('lock_timeout'),
      current_setting('idle_in_transaction_session_timeout')) as limits`.execute(db)
  return rows[0]?.limits
}

test('behind a pooler nothing is prepared by name, inside a transaction and outside', async () => {
  const twice = prepare((at: { n: number }) => sql<{ twice: number }>`select ${at.n}::int * 2 as twice`)
  const db = open({ isPooled: true })
  for (const n of [1, 2, 3]) {
    expect(await twice(db, { n })).toEqual([{ twice: 2 * n }])
    expect(await db.transaction().execute((tx) => twice(tx, { n }))).toEqual([{ twice: 2 * n }])
  }
  const { rows } = await sql`select from pg_prepared_statements`.execute(db)
  expect(rows).toEqual([])
})

test('a role without time limits stops the start behind a pooler, with the statements that give it some', async () => {
  expect(await limits(open({}))).toBe('15s 4s 3s')
  await requireTimeLimits(open({}))
  const without = open({ isPooled: true })
  expect(await limits(without)).toBe('0 0 0')
  const refused = await requireTimeLimits(without).catch((error: unknown) => String(error))
  expect(refused).toContain('may wait for longer than the product does')
  const statements = refused?.match(/alter role [^;]+;/g) ?? []
  expect(statements).toHaveLength(3)
  for (const statement of statements) await sql.raw(statement).execute(owner.db)
  const within = open({ isPooled: true })
  await requireTimeLimits(within)
  expect(await limits(within)).toBe('15s 4s 3s')
  // Migrations of the same role have no such limits.
  expect(await limits(open({ isPooled: true, limits: 'none' }))).toBe('0 0 0')
})

test('a database that is closed leaves no connection, even if only its pool was asked', async () => {
  const name = 'hearth-closed'
  const database = openServer(url, 1, () => undefined, { name })
  if (database.engine.kind === 'server') await database.engine.pool.query('select 1')
  const left = async () => {
    const { rows } = await sql`select from pg_stat_activity where application_name = ${name}`.execute(
      owner.db,
    )
    return rows.length
  }
  expect(await left()).toBe(1)
  await database.close()
  await vi.waitFor(async () => expect(await left()).toBe(0))
})
