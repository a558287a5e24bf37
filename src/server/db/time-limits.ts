import { type Kysely, sql } from 'kysely'
import type { Schema } from './schema.gen.ts'

/** How long what is asked of a server may take, in milliseconds. */
export type TimeLimits = { statement: number; lock: number; idleInTransaction: number }

/**
 * The limits of the product. A wait for a lock ends before a person stops waiting for a response. The transaction of a
 * stopped process releases its locks before that.
 */
export const usualLimits: TimeLimits = { statement: 15_000, lock: 4000, idleInTransaction: 3000 }

const settings = {
  statement_timeout: 'statement',
  lock_timeout: 'lock',
  idle_in_transaction_session_timeout: 'idleInTransaction',
} as const

/**
 * Checks that the server keeps to the product's limits, whether they came with the connection or belong to the role.
 * @throws Error with the statements that give the role its limits
 */
export async function requireTimeLimits(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ name: keyof typeof settings; value: number; role: string }>`
    select name, setting::int as value, current_user::text as role
    from pg_settings where name = any(${Object.keys(settings)}::text[]) order by name`.execute(db)
  const missing = rows.filter(({ name, value }) => value === 0 || value > usualLimits[settings[name]])
  if (missing.length === 0) return
  const statements = missing.map(
    ({ name, role }) => `alter role "${role}" set ${name} = '${usualLimits[settings[name]] / 1000}s';`,
  )
  throw new Error(
    `The role of DATABASE_URL may wait for longer than the product does. Run ${statements.join(' ')} Then have PgBouncer connect anew (RECONNECT).`,
  )
}
