import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from './connection.ts'
import { sqlState } from './transaction.ts'

const ownFolder = new URL('./migrations/', import.meta.url)
/** Advisory locks: that of this runner, and the one that releases with Kysely's own runner take. */
const runnerLock = sql.lit('4071302259138714001')
const formerLock = sql.lit('3853314791062309107')
/** PostgreSQL's codes for a lock that was not to be had in time, and for a deadlock. */
const lostLock = new Set(['55P03', '40P01'])

type Migration = { name: string; text: string }

/**
 * Brings the tables up to date, one instance at a time. The rules for what a migration may do are in `migrations/README.md`.
 * Migrations of a newer release that have been carried out already are left alone.
 * @returns the names of the migrations carried out, oldest first.
 */
export function migrate(db: Db, folder: URL = ownFolder): Promise<string[]> {
  return db.connection().execute(async (connection) => {
    // Instances that wait must not hold a snapshot: an index built concurrently would wait for them.
    while (!(await takeLock(connection))) await sleep(200)
    try {
      // Building an index may take longer than any other statement.
      await sql`set statement_timeout = 0`.execute(connection)
      const pending = await readPending(connection, folder)
      for (const migration of pending) await carryOut(connection, migration)
      return pending.map(({ name }) => name)
    } finally {
      await sql`reset statement_timeout`.execute(connection)
      await sql`select pg_advisory_unlock(${runnerLock})`.execute(connection)
    }
  })
}

async function takeLock(db: Db): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_lock(${runnerLock}) as taken`.execute(
    db,
  )
  return rows[0]?.taken === true
}

async function readPending(db: Db, folder: URL): Promise<Migration[]> {
  await sql`create table if not exists kysely_migration (
    name varchar(255) primary key, timestamp varchar(255) not null)`.execute(db)
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  const applied = new Set(rows.map(({ name }) => name))
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql'))
  const pending = inOrder(files.map((file) => file.replace(/\.sql$/, ''))).filter(
    (name) => !applied.has(name),
  )
  return Promise.all(
    pending.map(async (name) => ({ name, text: await readFile(new URL(`${name}.sql`, folder), 'utf8') })),
  )
}

/**
 * Migrations in the order in which they are carried out: the numbered ones, then those named by a time in UTC.
 * @throws for a name of another form, before any of them is carried out
 */
function inOrder(names: string[]): string[] {
  const wrong = names.find((name) => !numbered.test(name) && !isTimed(name))
  if (wrong) throw new Error(`Migration ${wrong} is not named like 202611221530_what_it_does.`)
  const byNumber = names.filter((name) => numbered.test(name))
  return [...byNumber.toSorted(), ...names.filter((name) => !byNumber.includes(name)).toSorted()]
}

const numbered = /^0\d{3}_[a-z0-9_]+$/

/** Whether a name is `YYYYMMDDHHMM_name`, with a minute that there is. */
function isTimed(name: string): boolean {
  const [, year, month, day, hour, minute] = /^(20\d\d)(\d\d)(\d\d)(\d\d)(\d\d)_[a-z0-9_]+$/.exec(name) ?? []
  if (year === undefined) return false
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}Z`)
  return !Number.isNaN(time.getTime()) && time.getUTCDate() === Number(day)
}

async function carryOut(db: Db, migration: Migration): Promise<void> {
  if (/^-- no transaction$/m.test(migration.text)) {
    for (const statement of statementsOf(migration)) await runAlone(db, statement)
    await record(db, migration)
    return
  }
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(async (tx) => {
        // Requests of the release before queue up behind a table's lock that a migration waits for.
        await sql`set local lock_timeout = '3s'`.execute(tx)
        await sql`select pg_advisory_xact_lock(${formerLock})`.execute(tx)
        await sql.raw(migration.text).execute(tx)
        await record(tx, migration)
      })
    } catch (error) {
      if (!lostLock.has(sqlState(error) ?? '') || attempt === 20) throw error
      await sleep(1000)
    }
  }
}

function record(db: Db, { name }: Migration) {
  return sql`insert into kysely_migration (name, timestamp) values (${name}, ${new Date().toISOString()})`.execute(
    db,
  )
}

/** Statements that PostgreSQL can repeat after a crash, and that do not stand in the way of others. */
const repeatable =
  /^(create (unique )?index concurrently if not exists|drop index concurrently if exists|alter table \S+ validate constraint) \S/i

function statementsOf({ name, text }: Migration): string[] {
  const statements = text
    .replaceAll(/^--.*$/gm, '')
    .split(/;\s*$/m)
    .map((statement) => statement.trim().replaceAll(/\s+/g, ' '))
    .filter((statement) => statement !== '')
  const other = statements.find((statement) => !repeatable.test(statement))
  if (other) throw new Error(`Migration ${name} has no transaction and cannot repeat: ${other}`)
  return statements
}

/** Runs a statement outside a transaction. An index that an earlier attempt left invalid is built anew. */
async function runAlone(db: Db, statement: string): Promise<void> {
  const index = /^create (?:unique )?index concurrently if not exists (\w+)/i.exec(statement)?.[1]
  if (index) {
    const { rows } = await sql`
      select from pg_index i join pg_class c on c.oid = i.indexrelid
      where c.relname = ${index} and pg_table_is_visible(c.oid) and not i.indisvalid`.execute(db)
    if (rows.length > 0) await sql`drop index concurrently ${sql.ref(index)}`.execute(db)
  }
  await sql.raw(statement).execute(db)
}
