import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'

type Refused = {
  table: string
  before: 'insert' | 'update'
  /** Which rows, of `new`. A trigger has no parameters: `sql.lit` for values. */
  when: RawBuilder<unknown>
}

/** Has the database refuse these rows until the returned function is called. */
export async function refuseRows(db: Db, { table, before, when }: Refused): Promise<() => Promise<void>> {
  await sql`
    create function refuse_row() returns trigger language plpgsql as $$
    begin raise exception 'refused' using errcode = 'check_violation'; end $$`.execute(db)
  await sql`
    create trigger refuse_row before ${sql.raw(before)} on ${sql.table(table)} for each row
    when (${when}) execute function refuse_row()`.execute(db)
  return async () => {
    await sql`drop function refuse_row cascade`.execute(db)
  }
}
