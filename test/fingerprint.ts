import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import { lasting } from './test-database.ts'

/** Tables that every request may write to, even if it fails. */
const housekeeping = ['rate_limits', 'idempotency_keys']

const prepared = new WeakSet<Db>()
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
  if (!prepared.has(db)) await prepare(db)
  prepared.add(db)
  const { rows } = await sql<{ name: string; digest: string }>`select * from fingerprinting.prints()`.execute(
    db,
  )
  const prints = Object.fromEntries(rows.map(({ name, digest }) => [name, digest]))
  if (log) taken.set(db, { position: log.position, prints })
  return prints
}

/** Puts the question into a function: to plan it takes twice as long as to answer it. */
async function prepare(db: Db): Promise<void> {
  const { rows: tables } = await sql<{ name: string }>`
    select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
    where schemaname in ('public', 'sandbox_gateway', 'stripe_gateway') or (schemaname = 'pgboss' and tablename = 'job_common')
    order by 1`.execute(db)
  const left = [...lasting, ...housekeeping].map((name) => `public.${name}`)
  const watched = tables.filter(({ name }) => !left.includes(name) && !name.startsWith('public.kysely'))
  if (watched.length < 25) throw new Error('There are hardly any tables.')
  const question = watched
    .map(
      ({ name }) =>
        `select '${name}', count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) from ${name} t`,
    )
    .join(' union all ')
  await sql`create schema if not exists fingerprinting`.execute(db)
  await sql
    .raw(`create or replace function fingerprinting.prints() returns table (name text, digest text)
      language plpgsql as $$ begin return query ${question}; end $$`)
    .execute(db)
}
