import { sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import type { Busy } from './availability.rules.ts'
import { rangeOf } from './availability.store.ts'

/** The busy times of a practitioner's connected calendar as last read, soonest first. */
export async function readBusyElsewhere(db: Db, practitionerId: number): Promise<Busy[]> {
  const { rows } = await sql<{ starts: Date; ends: Date }>`
    select lower(during) as starts, upper(during) as ends from busy_elsewhere
    where practitioner_id = ${practitionerId} order by lower(during)`.execute(db)
  return rows.map(({ starts, ends }) => ({ from: starts.getTime(), to: ends.getTime() }))
}

export async function replaceBusyElsewhere(
  db: Db,
  practitionerId: number,
  busy: readonly Busy[],
): Promise<void> {
  await db.deleteFrom('busy_elsewhere').where('practitioner_id', '=', practitionerId).execute()
  if (busy.length === 0) return
  await db
    .insertInto('busy_elsewhere')
    .values(busy.map((each) => ({ practitioner_id: practitionerId, during: rangeOf(each) })))
    .execute()
}
