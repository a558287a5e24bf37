import type { Db, Tx } from '../../db/connection.ts'
import { countRows } from '../../db/count-rows.ts'

export function findFactor(db: Db, accountId: string) {
  return db.selectFrom('second_factors').selectAll().where('account_id', '=', accountId).executeTakeFirst()
}

/** As `findFactor`, kept from others until the transaction ends. */
export function lockFactor(tx: Tx, accountId: string) {
  return tx
    .selectFrom('second_factors')
    .selectAll()
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst()
}

/** Takes the second factor off, with its recovery codes. */
export async function removeFactor(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('second_factors').where('account_id', '=', accountId).execute()
}

/** Keeps a secret that is shown to be set up; one shown before no longer counts. */
export async function keepPending(db: Db, accountId: string, sealed: Buffer): Promise<void> {
  await db
    .insertInto('second_factors')
    .values({ account_id: accountId, pending_secret: sealed })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ pending_secret: sealed }))
    .execute()
}

/** From here on the pending secret is the one that counts; `step` is that of the code that showed it. */
export async function turnOn(
  tx: Tx,
  accountId: string,
  { secret, step, now }: { secret: Uint8Array; step: number; now: Date },
): Promise<void> {
  await tx
    .updateTable('second_factors')
    .set({ secret, confirmed_at: now, last_step: step, pending_secret: null })
    .where('account_id', '=', accountId)
    .execute()
}

/** Uses the code of a time step up. False when it, or a later one, was used already. */
export async function useStep(db: Db, accountId: string, step: number): Promise<boolean> {
  const row = await db
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('account_id', '=', accountId)
    .where((eb) => eb.or([eb('last_step', 'is', null), eb('last_step', '<', step)]))
    .returning('account_id')
    .executeTakeFirst()
  return row !== undefined
}

/** `keyId` names the key that the digests were made with. */
export async function replaceRecoveryCodes(
  tx: Tx,
  accountId: string,
  { digests, keyId }: { digests: Buffer[]; keyId: string },
): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute()
  await tx
    .insertInto('recovery_codes')
    .values(digests.map((digest) => ({ account_id: accountId, digest, key_id: keyId })))
    .execute()
}

/** Uses a recovery code up, by its digest under one of the keys. False when there is none like it, or it was used already. */
export async function useRecoveryCode(
  db: Db,
  accountId: string,
  digests: Buffer[],
  now: Date,
): Promise<boolean> {
  const row = await db
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('account_id', '=', accountId)
    .where('digest', 'in', digests)
    .where('used_at', 'is', null)
    .returning('account_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function countRecoveryCodes(db: Db, accountId: string): Promise<number> {
  return countRows(
    db.selectFrom('recovery_codes').where('account_id', '=', accountId).where('used_at', 'is', null),
  )
}
