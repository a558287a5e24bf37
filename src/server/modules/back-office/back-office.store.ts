import type { Db, Tx } from '../../db/connection.ts'

export type NewEntry = {
  at: Date
  actor_id: string
  action: string
  subject: string
  reason: string | null
}

export async function insertEntry(tx: Tx, entry: NewEntry): Promise<void> {
  await tx.insertInto('audit_log').values(entry).execute()
}

/** Entries with who acted, newest first. */
export async function readEntries(db: Db, range: { limit: number; offset: number }) {
  return db
    .selectFrom('audit_log as e')
    .innerJoin('accounts as a', 'a.id', 'e.actor_id')
    .select(['e.id', 'e.at', 'e.action', 'e.subject', 'e.reason', 'a.first_name', 'a.last_name', 'a.email'])
    .orderBy('e.id', 'desc')
    .limit(range.limit)
    .offset(range.offset)
    .execute()
}

export async function countEntries(db: Db): Promise<number> {
  const row = await db
    .selectFrom('audit_log')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}
