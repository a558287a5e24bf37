import type { Db, Tx } from '../../db/connection.ts'

/** The ids, the newest first. */
export async function readIds(db: Db, clientId: string): Promise<number[]> {
  const rows = await db
    .selectFrom('shortlisted_practitioners')
    .select('practitioner_id')
    .where('client_id', '=', clientId)
    .orderBy('created_at', 'desc')
    .orderBy('practitioner_id')
    .execute()
  return rows.map((row) => row.practitioner_id)
}

/** Locks a client's list until the transaction ends, so that its length can be judged. */
export async function lockList(tx: Tx, clientId: string): Promise<void> {
  await tx
    .selectFrom('clients')
    .select('account_id')
    .where('account_id', '=', clientId)
    .forNoKeyUpdate()
    .execute()
}

export async function insert(tx: Tx, clientId: string, ids: number[], now: Date): Promise<void> {
  if (ids.length === 0) return
  await tx
    .insertInto('shortlisted_practitioners')
    .values(ids.map((id) => ({ client_id: clientId, practitioner_id: id, created_at: now })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function remove(tx: Tx, clientId: string, ids: number[]): Promise<void> {
  await tx
    .deleteFrom('shortlisted_practitioners')
    .where('client_id', '=', clientId)
    .where('practitioner_id', 'in', ids)
    .execute()
}

export async function removeAll(tx: Tx, clientId: string): Promise<void> {
  await tx.deleteFrom('shortlisted_practitioners').where('client_id', '=', clientId).execute()
}

/** Names and days, the newest first. */
export function listNamed(db: Db, clientId: string) {
  return db
    .selectFrom('shortlisted_practitioners as s')
    .innerJoin('practitioners as p', 'p.id', 's.practitioner_id')
    .innerJoin('accounts as owner', 'owner.id', 'p.account_id')
    .select(['owner.first_name', 'owner.last_name', 's.created_at'])
    .where('s.client_id', '=', clientId)
    .orderBy('s.created_at', 'desc')
    .orderBy('s.practitioner_id')
    .execute()
}
