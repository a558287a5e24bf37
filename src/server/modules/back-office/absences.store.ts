import { sql } from 'kysely'
import type { Db, Tx } from '../../db/connection.ts'
import { countRows } from '../../db/count-rows.ts'

type Task = { practitioner_id: number; appointment_id: string; noted_at: Date }

/** Lets the absences of a practitioner be counted one after the other, until the transaction ends. */
export async function lockAbsences(tx: Tx, practitionerId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('absences'), ${practitionerId}::int)`.execute(tx)
}

/** Opens a task about a practitioner. Returns false if one is open. */
export async function openTask(tx: Tx, task: Task): Promise<boolean> {
  const row = await tx
    .insertInto('absence_tasks')
    .values(task)
    .onConflict((conflict) => conflict.column('practitioner_id').where('resolved_at', 'is', null).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Open tasks, the oldest first. */
export async function listOpen(db: Db, limit: number): Promise<Task[]> {
  return db
    .selectFrom('absence_tasks')
    .select(['practitioner_id', 'appointment_id', 'noted_at'])
    .where('resolved_at', 'is', null)
    .orderBy('noted_at')
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function countOpen(db: Db): Promise<number> {
  return countRows(db.selectFrom('absence_tasks').where('resolved_at', 'is', null))
}

/** When the open task about a practitioner was noted. */
export async function openSince(db: Db, practitionerId: number): Promise<Date | undefined> {
  const row = await db
    .selectFrom('absence_tasks')
    .select('noted_at')
    .where('practitioner_id', '=', practitionerId)
    .where('resolved_at', 'is', null)
    .executeTakeFirst()
  return row?.noted_at
}

/** Resolves the open task about a practitioner. Returns false if there is none. */
export async function resolveTask(tx: Tx, practitionerId: number, now: Date): Promise<boolean> {
  const row = await tx
    .updateTable('absence_tasks')
    .set({ resolved_at: now })
    .where('practitioner_id', '=', practitionerId)
    .where('resolved_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes resolved tasks that a session of this client made. */
export async function deleteResolvedOf(tx: Tx, clientId: string): Promise<void> {
  await sql`delete from absence_tasks t using appointments a
    where a.id = t.appointment_id and a.client_id = ${clientId} and t.resolved_at is not null`.execute(tx)
}
