import type { Db, NewRow, Tx } from '../../db/connection.ts'

/** Stores a webhook event. Returns false if it was stored before. */
export async function insertWebhookEvent(tx: Tx, event: NewRow<'gateway_notices'>): Promise<boolean> {
  const row = await tx
    .insertInto('gateway_notices')
    .values(event)
    .onConflict((conflict) => conflict.columns(['gateway', 'id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteWebhookEvents(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('gateway_notices').where('received_at', '<', before).execute()
}
