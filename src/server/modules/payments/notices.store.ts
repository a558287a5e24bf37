import type { Db, Tx } from '../../db/connection.ts'

type Notice = {
  gateway: string
  id: string
  kind: 'payment' | 'refund failed' | 'dispute' | 'other'
  payment_key: string | null
  received_at: Date
}

/** Stores a webhook event. Returns false if it was stored before. */
export async function insertNotice(tx: Tx, notice: Notice): Promise<boolean> {
  const row = await tx
    .insertInto('gateway_notices')
    .values(notice)
    .onConflict((conflict) => conflict.columns(['gateway', 'id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function forgetNotices(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('gateway_notices').where('received_at', '<', before).execute()
}
