import type { Db } from '../../db/connection.ts'
import type { MailedRole } from './accounts.rules.ts'

type Subject = { issuer: string; subject: string; role: MailedRole }

/** Finds the account that is joined to a provider's subject; undefined if it is deleted. */
export async function findAccountOf(db: Db, { issuer, subject, role }: Subject): Promise<string | undefined> {
  const row = await db
    .selectFrom('identities')
    .innerJoin('accounts', 'accounts.id', 'identities.account_id')
    .select('account_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .where('identities.role', '=', role)
    .where('accounts.deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.account_id
}

/** Joins a provider's subject to an account. Returns false when either of them is joined already. */
export async function insertIdentity(
  db: Db,
  identity: Subject & { account_id: string; created_at: Date },
): Promise<boolean> {
  const row = await db
    .insertInto('identities')
    .values(identity)
    .onConflict((conflict) => conflict.doNothing())
    .returning('account_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Parts an account from all providers. Returns whether it was joined to one. */
export async function deleteIdentities(db: Db, accountId: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom('identities')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return deleted.numDeletedRows > 0n
}

/** Which providers an account is joined to. */
export async function listIssuers(
  db: Db,
  accountId: string,
): Promise<{ issuer: string; created_at: Date }[]> {
  return db
    .selectFrom('identities')
    .select(['issuer', 'created_at'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .execute()
}

/** Locks an account; its email and the confirmation of it as they now are. */
export function lockAccount(db: Db, id: string) {
  return db
    .selectFrom('accounts')
    .select(['id', 'email', 'email_verified_at'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

export async function removePassword(db: Db, accountId: string): Promise<void> {
  await db.updateTable('accounts').set({ password_hash: null }).where('id', '=', accountId).execute()
}

// Nonces and codes ------------------------------------------------------------------------------------------------------

/** Uses a nonce up; false when it was used before. */
export async function spendNonce(db: Db, nonce: { hash: Buffer; expires_at: Date }): Promise<boolean> {
  const row = await db
    .insertInto('identity_nonces')
    .values(nonce)
    .onConflict((conflict) => conflict.doNothing())
    .returning('hash')
    .executeTakeFirst()
  return row !== undefined
}

export async function insertCode(
  db: Db,
  code: { hash: Buffer; browser: Buffer; sealed: Buffer; expires_at: Date },
): Promise<void> {
  await db.insertInto('identity_codes').values(code).execute()
}

/** Uses a code up, in the browser that it was made for alone; what was kept under it. */
export async function spendCode(
  db: Db,
  { hash, browser, now }: { hash: Buffer; browser: Buffer; now: Date },
): Promise<Buffer | undefined> {
  const row = await db
    .deleteFrom('identity_codes')
    .where('hash', '=', hash)
    .where('browser', '=', browser)
    .where('expires_at', '>', now)
    .returning('sealed')
    .executeTakeFirst()
  return row && Buffer.from(row.sealed)
}

export async function deleteOldIdentityWork(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('identity_nonces').where('expires_at', '<', before).execute()
  await db.deleteFrom('identity_codes').where('expires_at', '<', before).execute()
}
