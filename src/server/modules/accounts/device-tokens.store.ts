import type { Db, NewRow, Tx } from '../../db/connection.ts'

export async function insertDeviceToken(tx: Tx, token: NewRow<'device_tokens'>): Promise<void> {
  await tx.insertInto('device_tokens').values(token).execute()
}

export function findDeviceToken(db: Db, hash: Buffer) {
  return db.selectFrom('device_tokens').selectAll().where('hash', '=', hash).executeTakeFirst()
}

/** The one of some tokens that there is, locked until the transaction ends. */
export function lockDeviceToken(tx: Tx, hashes: Buffer[]) {
  return tx.selectFrom('device_tokens').selectAll().where('hash', 'in', hashes).forUpdate().executeTakeFirst()
}

export async function spendDeviceToken(tx: Tx, hash: Buffer, now: Date): Promise<void> {
  await tx.updateTable('device_tokens').set({ spent_at: now }).where('hash', '=', hash).execute()
}

/** Deletes the token of a browser with those that led to it. */
export async function deleteDeviceOf(tx: Tx, hash: Buffer): Promise<void> {
  await tx
    .deleteFrom('device_tokens')
    .where('family_id', 'in', (query) =>
      query.selectFrom('device_tokens').select('family_id').where('hash', '=', hash),
    )
    .execute()
}

/** Deletes the tokens of every browser of an account. */
export async function deleteDevices(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('device_tokens').where('account_id', '=', accountId).execute()
}

/** The browsers in which an account stays signed in. */
export function listDevices(db: Db, accountId: string, now: Date) {
  return db
    .selectFrom('device_tokens')
    .select(['family_id', 'created_at', 'expires_at'])
    .where('account_id', '=', accountId)
    .where('spent_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('created_at')
    .execute()
}

export async function deleteOldDevices(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('device_tokens').where('expires_at', '<', before).execute()
}
