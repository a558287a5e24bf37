import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import { lasting } from './test-database.ts'

/** Counters and keys that are written about a request, whatever comes of it. */
const housekeeping = ['rate_limits', 'idempotency_keys']

const questions = new WeakMap<Db, string>()
const taken = new WeakMap<Db, { position: string; prints: Record<string, string> }>()

/**
 * The content of every table, as a count and a digest by table's name: equal before and after exactly if nothing was
 * written. Reference data, limits and idempotency keys are left out.
 */
export async function fingerprint(db: Db): Promise<Record<string, string>> {
  // Every change to a table moves this on, and many things else: where it stands still, nothing has to be read again.
  const {
    rows: [log],
  } = await sql<{ position: string }>`select pg_current_wal_insert_lsn()::text as position`.execute(db)
  const last = taken.get(db)
  if (last && last.position === log?.position) return last.prints
  const question = questions.get(db) ?? (await ask(db))
  questions.set(db, question)
  const { rows } = await sql.raw<{ name: string; digest: string }>(question).execute(db)
  const prints = Object.fromEntries(rows.map(({ name, digest }) => [name, digest]))
  if (log) taken.set(db, { position: log.position, prints })
  return prints
}

async function ask(db: Db): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
    where schemaname in ('public', 'sandbox_gateway', 'stripe_gateway') or (schemaname = 'pgboss' and tablename = 'job_common')
    order by 1`.execute(db)
  const left = [...lasting, ...housekeeping].map((name) => `public.${name}`)
  const watched = tables.filter(({ name }) => !left.includes(name) && !name.startsWith('public.kysely'))
  if (watched.length < 25) throw new Error('There are hardly any tables.')
  return watched
    .map(
      ({ name }) =>
        `select '${name}' as name, count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) as digest from ${name} t`,
    )
    .join(' union all ')
}
