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

/** An embedded database without a table. It opens from a dump, which takes a third of what making one takes. */
export async function bareDatabase(options: Parameters<typeof openEmbedded>[0] = {}) {
  return openEmbedded({ ...options, template: await readDump('bare', async () => undefined) })
}

async function open(): Promise<Database> {
  const database = await openEmbedded({ template: await readTemplate() })
  await prepareClearing(database)
  return database
}

/** A dump of an embedded database as `prepare` leaves it. Made once for the same migrations, reference data and queue. */
export function readTemplate(): Promise<Blob> {
  return readDump('prepared', prepare)
}

/** A dump of a new embedded database after `fill`, read from where it was kept the first time. */
async function readDump(name: string, fill: (database: Database) => Promise<void>): Promise<Blob> {
  const file = join(cache, `${name}-${await digest()}.tar.gz`)
  if (!existsSync(file)) {
    const fresh = await openEmbedded()
    await fill(fresh)
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

/** Deletes what tests have written, as the function that `prepareClearing` has made does it. */
async function clear({ db }: Database): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from clearing.clear() name`.execute(db)
  // No autovacuum runs here: the deleted rows of all tests before would be read again by each one after.
  if (rows.length > 0) await sql.raw(`vacuum ${rows.map(({ name }) => name).join(', ')}`).execute(db)
}

/** Only while this holds are rows of append-only tables deleted. */
const isClearing = `current_setting('clearing.is_clearing', true) = 'yes'`

/**
 * Creates the function that empties the tables, those that reference others first, and returns the names of those that
 * have grown. It deletes only where there is a row: most tables are empty. With `session_replication_role` no order would
 * be needed, but the database would plan every statement anew.
 */
async function prepareClearing({ db }: Database): Promise<void> {
  const { rows: tables } = await sql<{ name: string; references: string[] }>`
    select quote_ident(schemaname) || '.' || quote_ident(tablename) as name, array(
      select quote_ident(n.nspname) || '.' || quote_ident(c.relname)
      from pg_constraint f join pg_class c on c.oid = f.confrelid join pg_namespace n on n.oid = c.relnamespace
      where f.contype = 'f' and f.conrelid = format('%I.%I', schemaname, tablename)::regclass and f.confrelid <> f.conrelid
    ) as references
    from pg_tables
    where (schemaname in ('public', 'sandbox_gateway', 'stripe_gateway') and tablename not like 'kysely%')
      or (schemaname = 'pgboss' and tablename in ('job', 'job_common', 'schedule'))
    order by 1`.execute(db)
  const left = new Map(
    tables
      .filter(({ name }) => !lasting.includes(name.replace(/^public\./, '')))
      .map(({ name, references }) => [name, references]),
  )
  const ordered: string[] = []
  while (left.size > 0) {
    const referenced = new Set([...left.values()].flat())
    const free = [...left.keys()].filter((name) => !referenced.has(name))
    if (free.length === 0) throw new Error(`The tables ${[...left.keys()].join(', ')} reference each other.`)
    for (const name of free) left.delete(name)
    ordered.push(...free)
  }
  const { rows: guards } = await sql<{ definition: string }>`
    select pg_get_functiondef(oid) as definition from pg_proc
    where proname in ('forbid_change', 'forbid_moving_head')`.execute(db)
  if (guards.length !== 2) throw new Error('The functions that guard append-only tables have other names.')
  for (const { definition } of guards) {
    const escaped = definition.replace(/\bbegin\b/, `begin if ${isClearing} then return null; end if;`)
    await sql.raw(escaped).execute(db)
  }
  const steps = ordered.map(
    (name) => `if exists (select from ${name}) then
      delete from ${name};
      if pg_relation_size('${name}') > 65536 then return next '${name}'; end if;
    end if;`,
  )
  await sql
    .raw(`create schema clearing;
      create function clearing.clear() returns setof text language plpgsql as $$ begin
        perform set_config('clearing.is_clearing', 'yes', true);
        ${steps.join('\n')}
      end $$`)
    .execute(db)
}

/** The cluster's database that new ones are copied from. */
export const templateName = 'hearth_template'
