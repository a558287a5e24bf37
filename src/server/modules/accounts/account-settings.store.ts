import { sql } from 'kysely'
import type { Db } from '../../db/connection.ts'

export async function setName(
  db: Db,
  accountId: string,
  name: { first_name: string; last_name: string },
): Promise<void> {
  await db
    .updateTable('accounts')
    .set(name)
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .execute()
}

/** @throws the unique constraint's error (23505) when an account of the same role has the address */
export async function setEmail(db: Db, accountId: string, email: string, now: Date): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ email, email_verified_at: now })
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .execute()
}

// Sign-ins ---------------------------------------------------------------------------------------------------------

/** Sign-ins that can still be renewed, last used first. */
export function listLoginSessions(db: Db, accountId: string, now: Date) {
  return db
    .selectFrom('login_sessions')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('refresh_tokens')
          .select('hash')
          .whereRef('refresh_tokens.login_session_id', '=', 'login_sessions.id')
          .where('refresh_tokens.expires_at', '>', now),
      ),
    )
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** Every sign-in that is not forgotten yet, last used first. */
export function listAllLoginSessions(db: Db, accountId: string) {
  return db
    .selectFrom('login_sessions')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export function findLoginSession(db: Db, id: string) {
  return db.selectFrom('login_sessions').selectAll().where('id', '=', id).executeTakeFirst()
}

// Deletion -----------------------------------------------------------------------------------------------------------

/** Keeps others from beginning anything in the name of an account until the transaction ends. Whether it is there. */
export async function lockForDeletion(db: Db, accountId: string): Promise<boolean> {
  await db
    .selectFrom('clients')
    .select('account_id')
    .where('account_id', '=', accountId)
    .forUpdate()
    .execute()
  const row = await db
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** Takes the person out of an account. What is left is a number and two days. */
export async function eraseAccount(db: Db, accountId: string, now: Date): Promise<void> {
  await db
    .updateTable('accounts')
    .set({
      email: null,
      email_verified_at: null,
      password_hash: null,
      first_name: '',
      last_name: '',
      deleted_at: now,
    })
    .where('id', '=', accountId)
    .execute()
  await db
    .updateTable('clients')
    .set({ referral_code: null, referred_by: null })
    .where('account_id', '=', accountId)
    .execute()
  await db.deleteFrom('known_addresses').where('account_id', '=', accountId).execute()
  await db.deleteFrom('device_tokens').where('account_id', '=', accountId).execute()
  // Their tokens go with them.
  await db.deleteFrom('login_sessions').where('account_id', '=', accountId).execute()
}

export async function isAnyDeletedSince(db: Db, since: Date): Promise<boolean> {
  const row = await db
    .selectFrom('accounts')
    .select('id')
    .where('deleted_at', '>=', since)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Deleted accounts that no record names any more, some of them. `references`: columns of other modules. */
export async function listUnreferred(
  db: Db,
  references: readonly [table: string, column: string][],
  deletedBefore: Date,
  limit: number,
): Promise<string[]> {
  const others = references.map(
    ([table, column]) =>
      sql`and not exists (select from ${sql.table(table)} r where r.${sql.ref(column)} = a.id)`,
  )
  const { rows } = await sql<{ id: string }>`
    select a.id from accounts a
    where a.deleted_at < ${deletedBefore} and a.role = 'client'
      and not exists (select from clients where referred_by = a.id)
      ${sql.join(others, sql` `)}
    order by a.deleted_at limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

/** Forgets a deleted account altogether. */
export async function deleteAccount(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('clients').where('account_id', '=', accountId).execute()
  await db.deleteFrom('accounts').where('id', '=', accountId).where('deleted_at', 'is not', null).execute()
}
