import { sql } from 'kysely'
import type { Db, Tx } from '../../db/connection.ts'

/** The key of a late return. */
type LateReturnKey = { appointment_id: string; kind: 'release' | 'refund'; since: Date }

/** Returns when the back office was last mailed about a late return. */
export async function lastNotedAt(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom('late_return_notes')
    .select((eb) => eb.fn.max('noted_at').as('at'))
    .executeTakeFirst()
  return row?.at ?? null
}

/** Inserts the late returns that the back office is mailed about. Returns how many are new. */
export async function noteLate(tx: Tx, late: LateReturnKey[], now: Date): Promise<number> {
  const { rows } = await sql`
    insert into late_return_notes (appointment_id, kind, since, noted_at)
    select appointment_id, kind, since, ${now}
    from jsonb_to_recordset(${JSON.stringify(late)}::jsonb) as l (appointment_id uuid, kind text, since timestamptz)
    on conflict do nothing returning appointment_id`.execute(tx)
  return rows.length
}
