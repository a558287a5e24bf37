import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { sql } from 'kysely'
import { type Database, openEmbedded } from '#server/db/connection.ts'
import { migrate } from '#server/db/migrate.ts'
import { fillReference } from '#server/db/seed/insert.ts'
import { createQueue } from '#server/jobs/queue.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const cache = join(root, 'node_modules/.cache/hearth-test')

/** Tables that a test never changes. */
export const lasting = [
  'provider_types',
  'issues',
  'therapy_types',
  'languages',
  'insurance_companies',
  'license_bodies',
  'titles',
  'genders',
  'timezones',
  'phone_codes',
  'services',
  'guided_categories',
  'guided_questions',
  'guided_answers',
  'installation',
]

let shared: Promise<Database> | undefined

/** This worker's embedded database, emptied but for the reference data. One app at a time stands on it. */
export async function emptyDatabase(): Promise<Database> {
  shared ??= open()
  const database = await shared
  await clear(database)
  return database
}

/** Brings a new database to where tests start: tables, reference data, the queue's own tables. */
export async function prepare(database: Database): Promise<void> {
  await migrate(database.db)
  await fillReference(database.db)
  const queue = createQueue(database, pino({ level: 'silent' }))
  await queue.start({ work: false })
  await queue.stop()
}

async function open(): Promise<Database> {
  return openEmbedded({ template: await readTemplate() })
}

/** A dump of an embedded database as `prepare` leaves it. Made once for the same migrations, reference data and queue. */
export async function readTemplate(): Promise<Blob> {
  const file = join(cache, `${await digest()}.tar.gz`)
  if (!existsSync(file)) {
    const fresh = await openEmbedded()
    await prepare(fresh)
    if (fresh.engine.kind !== 'embedded') throw new Error('Not the embedded database.')
    const dump = await fresh.engine.pglite.dumpDataDir('gzip')
    await fresh.close()
    await mkdir(cache, { recursive: true })
    await writeFile(`${file}.${process.pid}`, Buffer.from(await dump.arrayBuffer()))
    await rename(`${file}.${process.pid}`, file)
  }
  return new Blob([await readFile(file)])
}

async function digest(): Promise<string> {
  const hash = createHash('sha256')
  for (const folder of ['src/server/db/migrations', 'src/server/db/seed/reference', 'src/server/jobs']) {
    const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true })
    const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    for (const path of paths.sort()) hash.update(path).update(await readFile(path))
  }
  hash.update(await readFile(join(root, 'package-lock.json')))
  return hash.digest('hex').slice(0, 24)
}

async function clear({ db }: Database): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
    where (schemaname in ('public', 'sandbox_gateway', 'stripe_gateway') and tablename not like 'kysely%')
      or (schemaname = 'pgboss' and tablename in ('job', 'job_common', 'schedule'))`.execute(db)
  const emptied = rows
    .map((row) => row.name)
    .filter((name) => !lasting.includes(name.replace(/^public\./, '')))
    .map((name) => `delete from ${name};`)
  // Append-only tables and foreign keys stand in the way of a test's reset alone.
  await sql
    .raw(
      `set session_replication_role = replica; ${emptied.join(' ')} set session_replication_role = origin;`,
    )
    .execute(db)
}

/** The cluster's database that new ones are copied from. */
export const templateName = 'hearth_template'
