import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'

/** Notes which postcodes are known, and has every place looked up again; a point that is no town's stays. */
export async function noteImport(db: Db, version: string, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('installation')
      .values([
        { key: 'postcodes_version', value: version },
        { key: 'postcodes_imported_at', value: now.toISOString() },
      ])
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet((eb) => ({ value: eb.ref('excluded.value') })),
      )
      .execute()
    await sql`
      update locations set outward_code = null, district_name = null,
        latitude = case when point_source = 'town' then null else latitude end,
        longitude = case when point_source = 'town' then null else longitude end,
        point_source = nullif(point_source, 'town')
      where removed_at is null`.execute(tx)
    await sql`
      update practitioner_search set places = null, place_points = null where places is not null`.execute(tx)
  })
}
