import { sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import { runPrepared } from '../../db/prepared.ts'

type Secret = { hash: Buffer; login_session_id: string; expires_at: Date }

export async function insertPassword(db: Db, password: Secret): Promise<void> {
  await db.insertInto('chat_passwords').values(password).execute()
}

/** Deletes a password. Returns the sign-in session it came from, or undefined if it was unknown or expired. */
export async function takePassword(
  db: Db,
  hash: Buffer,
  now: Date,
): Promise<{ login_session_id: string } | undefined> {
  return db
    .deleteFrom('chat_passwords')
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .returning('login_session_id')
    .executeTakeFirst()
}

export async function insertToken(db: Db, token: Secret): Promise<void> {
  await db.insertInto('chat_tokens').values(token).execute()
}

/** Sign-in sessions that have not ended, of accounts that are not deleted. */
const holding = (db: Db) =>
  db
    .selectFrom('login_sessions')
    .innerJoin('accounts', 'accounts.id', 'login_sessions.account_id')
    .where('login_sessions.ended_at', 'is', null)
    .where('accounts.deleted_at', 'is', null)

/** Sign-in sessions of accounts that may chat: all but suspended or closed practitioners. */
const mayChat = (db: Db) =>
  holding(db).where(({ not, exists, selectFrom }) =>
    not(
      exists(
        selectFrom('practitioners')
          .select('practitioners.id')
          .whereRef('practitioners.account_id', '=', 'accounts.id')
          .where('practitioners.state', 'in', ['suspended', 'closed']),
      ),
    ),
  )

/** Returns the account of a sign-in session that has not ended. */
export function findHolder(db: Db, loginSessionId: string): Promise<{ account_id: string } | undefined> {
  return holding(db)
    .select('accounts.id as account_id')
    .where('login_sessions.id', '=', loginSessionId)
    .executeTakeFirst()
}

/** Checks whether the account of a sign-in session may chat. */
export async function maySignIn(db: Db, loginSessionId: string): Promise<boolean> {
  const row = await mayChat(db)
    .select('login_sessions.id')
    .where('login_sessions.id', '=', loginSessionId)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the holders of the tokens that are valid now. */
export function findTokens(db: Db, hashes: Buffer[], now: Date) {
  return runPrepared(
    db,
    mayChat(db)
      .innerJoin('chat_tokens', 'chat_tokens.login_session_id', 'login_sessions.id')
      .select([
        'chat_tokens.hash',
        'chat_tokens.expires_at',
        'accounts.id as account_id',
        'accounts.role',
        'login_sessions.id as login_session_id',
      ])
      .where('chat_tokens.hash', '=', sql<Buffer>`any(${hashes}::bytea[])`)
      .where('chat_tokens.expires_at', '>', now),
  )
}

/** Deletes expired passwords and tokens. */
export async function deleteOld(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('chat_passwords').where('expires_at', '<', now).execute()
  await db.deleteFrom('chat_tokens').where('expires_at', '<', now).execute()
}
