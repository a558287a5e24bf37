import type { Db, Tx } from '../../db/connection.ts'

const work = (db: Db) =>
  db
    .selectFrom('practitioners')
    .select([
      'id',
      'timezone',
      'notice_minutes',
      'pause_minutes',
      'series_rule',
      'schedule_version',
      'available_now_until',
      'waitlist',
    ])

type WorkRow = NonNullable<Awaited<ReturnType<typeof readWork>>>

export async function readWork(db: Db, id: number) {
  return work(db).where('id', '=', id).executeTakeFirst()
}

/** As `readWork`; waits for bookings of this practitioner that are under way, and keeps new ones waiting. */
export async function lockWork(tx: Tx, id: number): Promise<WorkRow | undefined> {
  return work(tx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

export async function updateWork(
  tx: Tx,
  id: number,
  change: Partial<Omit<WorkRow, 'id' | 'timezone'>>,
): Promise<void> {
  await tx.updateTable('practitioners').set(change).where('id', '=', id).execute()
}

/** Sets how many clients wait for a practitioner. Returns whether it changed. */
export async function updateWaiting(tx: Tx, id: number, waiting: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('practitioners')
    .set({ waiting })
    .where('id', '=', id)
    .where('waiting', '<>', waiting)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
