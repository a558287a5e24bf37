import type { LateReturn } from '#contract/back-office/payments.ts'
import type { Db, Tx } from '../../db/connection.ts'

/** Returns when the back office was last mailed about a late return. */
export async function lastNotedAt(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom('late_return_notes')
    .select((eb) => eb.fn.max('noted_at').as('at'))
    .executeTakeFirst()
  return row?.at ?? null
}

/** Inserts the late returns that the back office is mailed about. Returns how many are new. */
export async function noteLate(tx: Tx, late: LateReturn[], now: Date): Promise<number> {
  if (late.length === 0) return 0
  const noted = await tx
    .insertInto('late_return_notes')
    .values(
      late.map(({ session_id, kind, since }) => ({
        appointment_id: session_id,
        kind,
        since: new Date(since),
        noted_at: now,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('appointment_id')
    .execute()
  return noted.length
}
