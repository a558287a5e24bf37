import { type Insertable, sql } from 'kysely'
import type { Db } from '../connection.ts'
import type { Schema } from '../schema.gen.ts'

type Table = Exclude<keyof Schema, `${string}.${string}`>

type Stored<T extends Table> = Partial<Insertable<Schema[T]>>

const batch = 1000

/**
 * Inserts many rows, a thousand in a statement, far quicker than one parameter for each value. All rows have the columns
 * of the first. `update` overwrites rows of the same id.
 */
export async function insertRows<T extends Table>(
  db: Db,
  table: T,
  rows: readonly Stored<T>[],
  onConflict: 'fail' | 'update' = 'fail',
): Promise<void> {
  const [first] = rows
  if (!first) return
  const names = Object.keys(first)
  const columns = sql.join(names.map((name) => sql.ref(name)))
  const overwritten = sql.join(
    names
      .filter((name) => name !== 'id')
      .map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`),
  )
  const conflict = onConflict === 'update' ? sql`on conflict (id) do update set ${overwritten}` : sql``
  for (let start = 0; start < rows.length; start += batch) {
    const json = JSON.stringify(rows.slice(start, start + batch))
    await sql`
      insert into ${sql.table(table)} (${columns}) overriding system value
      select ${columns} from jsonb_populate_recordset(null::${sql.table(table)}, ${json}::jsonb)
      ${conflict}`.execute(db)
  }
}
