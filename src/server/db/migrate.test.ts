import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { emptyClusterDatabase } from '#test/cluster-database.ts'
import { bareDatabase } from '#test/test-database.ts'
import { type Database, type Db, openServer } from './connection.ts'
import { migrate } from './migrate.ts'

const table = 'create table notes (id int primary key, word text);'
const index = `-- Words are looked up.
-- no transaction
create index concurrently if not exists notes_word
  on notes (word);
create unique index concurrently if not exists notes_once on notes (id, word);
`

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hearth-migrations-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const write = (name: string, text: string) => writeFileSync(join(directory, `${name}.sql`), text)
const run = (db: Db) => migrate(db, pathToFileURL(`${directory}/`))
const recorded = async (db: Db) =>
  (await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)).rows.map(
    ({ name }) => name,
  )
const indexes = async (db: Db) =>
  (
    await sql<{ name: string; valid: boolean }>`
      select c.relname as name, i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = 'notes'::regclass and not i.indisprimary order by 1`.execute(db)
  ).rows

async function runsOnce(db: Db): Promise<void> {
  write('0001_notes', table)
  write('0002_index', index)
  write('0003_more', 'alter table notes add column more text;')
  expect(await run(db)).toEqual(['0001_notes', '0002_index', '0003_more'])
  expect(await indexes(db)).toEqual([
    { name: 'notes_once', valid: true },
    { name: 'notes_word', valid: true },
  ])
  expect(await run(db)).toEqual([])
  expect(await recorded(db)).toEqual(['0001_notes', '0002_index', '0003_more'])
}

test('migrations run once on the embedded database, indexes outside a transaction', async () => {
  const database = await bareDatabase()
  await runsOnce(database.db)
  await database.close()
})

test('numbered migrations run first, then those named by a time, also one that landed late', async () => {
  const { db, close } = await bareDatabase()
  write('202611221530_second', 'alter table notes add column second text;')
  write('202611221529_first', 'alter table notes add column first text;')
  write('0069_last', 'alter table notes add column last text;')
  write('0001_notes', table)
  expect(await run(db)).toEqual(['0001_notes', '0069_last', '202611221529_first', '202611221530_second'])
  write('202611210800_late', 'alter table notes add column late text;')
  expect(await run(db)).toEqual(['202611210800_late'])
  expect(await run(db)).toEqual([])
  await close()
})

test.each([
  '20261122_without_minutes',
  '20261122153000_with_seconds',
  '202613221530_thirteenth_month',
  '202602301530_thirtieth_of_february',
  '202611222460_sixtieth_minute',
  '202611221530-hyphen',
  '1000_number_after_the_last',
  'unnamed',
])('a migration named %s stops the start before any other one runs', async (name) => {
  const { db, close } = await bareDatabase()
  write('0001_notes', table)
  write(name, 'alter table notes add column more text;')
  await expect(run(db)).rejects.toThrow(`Migration ${name} is not named like 202611221530_what_it_does.`)
  expect(await recorded(db)).toEqual([])
  await close()
})

describe('migrations on a server', () => {
  let database: Database
  let db: Db
  beforeEach(async () => {
    database = openServer(await emptyClusterDatabase(), 10, () => undefined, { limits: 'none' })
    db = database.db
  })
  afterEach(() => database.close())

  test('run once, in the order of their names, indexes outside a transaction', () => runsOnce(db))

  test('one that fails leaves nothing of itself, and those before it stay', async () => {
    write('0001_notes', table)
    write('0002_wrong', 'create table halves (id int); create table notes (id int);')
    await expect(run(db)).rejects.toThrow('already exists')
    expect(await recorded(db)).toEqual(['0001_notes'])
    const { rows } = await sql`select from pg_class where relname = 'halves'`.execute(db)
    expect(rows).toEqual([])
    write('0002_wrong', 'create table halves (id int);')
    expect(await run(db)).toEqual(['0002_wrong'])
  })

  test('one without a transaction is refused when a statement cannot be repeated', async () => {
    write('0001_notes', table)
    write('0002_index', '-- no transaction\ncreate index concurrently notes_word on notes (word);')
    await expect(run(db)).rejects.toThrow('cannot repeat: create index concurrently notes_word')
    write('0002_index', "-- no transaction\ninsert into notes values (1, 'a');")
    await expect(run(db)).rejects.toThrow('cannot repeat: insert into notes')
    expect(await indexes(db)).toEqual([])
    expect(await recorded(db)).toEqual(['0001_notes'])
  })

  test('those of a newer release that ran already are left alone', async () => {
    write('0001_notes', table)
    write('0002_newer', 'alter table notes add column newer text;')
    await run(db)
    rmSync(join(directory, '0002_newer.sql'))
    expect(await run(db)).toEqual([])
    expect(await recorded(db)).toEqual(['0001_notes', '0002_newer'])
  })

  test('an index that was left invalid half way is built anew', async () => {
    write('0001_notes', table)
    await run(db)
    await sql`insert into notes select n, 'same' from generate_series(1, 2) n`.execute(db)
    write(
      '0002_index',
      `-- no transaction
create index concurrently if not exists notes_word on notes (word);
create unique index concurrently if not exists notes_once on notes (word);`,
    )
    await expect(run(db)).rejects.toThrow('could not create unique index')
    expect(await indexes(db)).toEqual([
      { name: 'notes_once', valid: false },
      { name: 'notes_word', valid: true },
    ])
    expect(await recorded(db)).toEqual(['0001_notes'])

    await sql`delete from notes where id = 2`.execute(db)
    expect(await run(db)).toEqual(['0002_index'])
    expect(await indexes(db)).toEqual([
      { name: 'notes_once', valid: true },
      { name: 'notes_word', valid: true },
    ])
  })

  test('several instances at once build an index once, while others write', async () => {
    write('0001_notes', table)
    await run(db)
    write('0002_index', index)
    const open = await db.startTransaction().execute()
    await sql`insert into notes values (1, 'a')`.execute(open)
    const instances = Array.from({ length: 4 }, () => run(db))
    // The index waits for the transaction, and nothing else waits for the index.
    await expect.poll(async () => (await indexes(db)).length, { timeout: 10_000 }).toBe(1)
    await sql`insert into notes values (2, 'b')`.execute(db)
    expect(await recorded(db)).toEqual(['0001_notes'])
    await open.commit().execute()
    expect((await Promise.all(instances)).filter((names) => names.length > 0)).toEqual([['0002_index']])
    expect((await indexes(db)).every(({ valid }) => valid)).toBe(true)
  })

  test('one that waits for a table lets requests pass meanwhile, and is carried out in the end', async () => {
    write('0001_notes', table)
    await run(db)
    write('0002_more', 'alter table notes add column more text;')
    const open = await db.startTransaction().execute()
    await sql`select from notes`.execute(open)
    const running = run(db)
    await expect
      .poll(
        async () =>
          (await sql`select from pg_locks where relation = 'notes'::regclass and not granted`.execute(db))
            .rows.length,
        { timeout: 10_000 },
      )
      .toBe(1)
    const begun = performance.now()
    await sql`insert into notes values (1, 'a')`.execute(db)
    expect(performance.now() - begun).toBeLessThan(8000)
    await open.commit().execute()
    expect(await running).toEqual(['0002_more'])
  })
})
