import { type SelectQueryBuilder, sql } from 'kysely'

/** How many rows a query finds. */
export async function countRows<S, T extends keyof S>(
  rows: SelectQueryBuilder<S, T, object>,
): Promise<number> {
  const counted = rows.select(sql<number>`count(*)`.as('count')).$castTo<{ count: number }>()
  return (await counted.executeTakeFirstOrThrow()).count
}
