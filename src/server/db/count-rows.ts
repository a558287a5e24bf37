import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from './connection.ts'

/** How many rows a query finds. */
export async function countRows<S, T extends keyof S>(
  rows: SelectQueryBuilder<S, T, object>,
): Promise<number> {
  const counted = rows.select(sql<number>`count(*)`.as('count')).$castTo<{ count: number }>()
  return (await counted.executeTakeFirstOrThrow()).count
}

/** `isCapped`: there are more than `total`. */
export type CappedCount = { total: number; isCapped: boolean }

/** How many rows a long list counts: counting reads each of them. */
const mostCounted = 10_000

/** How many rows a statement finds, without reading on once there are more than 10,000. */
export async function countCapped(db: Db, statement: RawBuilder<unknown>): Promise<CappedCount> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${statement} limit ${mostCounted + 1}) counted`.execute(db)
  const count = rows[0]?.count ?? 0
  return { total: Math.min(count, mostCounted), isCapped: count > mostCounted }
}
