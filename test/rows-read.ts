import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/connection.ts'

/** How many rows of a table the statements of `work` read: sequentially, from an index, or from the table by an index. */
export async function rowsRead(db: Db, table: string, work: (tx: Tx) => Promise<unknown>): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const read = async () => {
      const { rows } = await sql<{ read: number }>`
        select (seq_tup_read + idx_tup_fetch
          + coalesce((select sum(pg_stat_get_xact_tuples_returned(indexrelid)) from pg_index where indrelid = relid), 0)
        )::int as read from pg_stat_xact_user_tables where relid = ${table}::regclass`.execute(tx)
      return rows[0]?.read ?? 0
    }
    const before = await read()
    await work(tx)
    return (await read()) - before
  })
}
