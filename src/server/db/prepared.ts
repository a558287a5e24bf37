import { type CompiledQuery, sql } from 'kysely'
import type pg from 'pg'
import type { Db } from './connection.ts'

/** The names of prepared statements, by their text. */
const names = new Map<string, string>()

/**
 * Runs a statement that a server reads and plans once for each connection rather than each time: for those that somebody
 * waits for often, and whose text is always the same. The embedded database plans each time.
 */
export async function runPrepared<T>(db: Db, statement: { compile(db: Db): CompiledQuery<T> }): Promise<T[]> {
  const compiled = statement.compile(db)
  if (!names.has(compiled.sql)) names.set(compiled.sql, `hearth_${names.size}`)
  const { rows } = await db.executeQuery(compiled)
  return rows
}

/** One of some numbers, however many: a list in the statement's text would make it another one for each length. */
export const anyOf = (ids: readonly number[]) => sql<number>`any(${ids}::int[])`

/** Has a connection send the statements of `runPrepared` under their names. */
export function namePrepared(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown
  const naming = (first: unknown, values?: unknown, ...rest: unknown[]) => {
    const name = typeof first === 'string' ? names.get(first) : undefined
    return name === undefined ? query(first, values, ...rest) : query({ name, text: first, values }, ...rest)
  }
  client.query = naming as typeof client.query
}
