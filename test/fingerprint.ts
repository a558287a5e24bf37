import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'

/** Counters and keys that are written about a request, whatever comes of it. */
const housekeeping = ['public.rate_limits', 'public.idempotency_keys']

/**
 * The content of every table, as a count and a digest by table's name: equal before and after exactly if nothing was
 * written. Limits and idempotency keys are left out.
 */
export async function fingerprint(db: Db): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
    where schemaname in ('public', 'sandbox_gateway') or (schemaname = 'pgboss' and tablename = 'job_common')
    order by 1`.execute(db)
  if (tables.length < 30) throw new Error('There are hardly any tables.')
  const digests = tables
    .filter(({ name }) => !housekeeping.includes(name))
    .map(
      ({ name }) =>
        `select '${name}' as name, count(*) || ' ' || coalesce(md5(string_agg(t::text, E'\\n' order by t::text)), '') as digest from ${name} t`,
    )
  const { rows } = await sql.raw<{ name: string; digest: string }>(digests.join(' union all ')).execute(db)
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]))
}
