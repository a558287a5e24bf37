import type { NotNull } from 'kysely'
import type { Db, NewRow, Row } from '../../db/connection.ts'

export type Purpose = Row<'mail_tokens'>['purpose']

/** What a mailed link is for, with the address that it is bound to. */
export type MailedLink =
  | { purpose: 'password_reset' }
  | { purpose: 'verify_email'; email: string }
  | { purpose: 'change_email'; new_email: string }

/** Replaces the unused links of the same purpose: only the newest mail's works. */
export async function replaceMailToken(db: Db, token: NewRow<'mail_tokens', 'used_at'>): Promise<void> {
  await db
    .deleteFrom('mail_tokens')
    .where('account_id', '=', token.account_id)
    .where('purpose', '=', token.purpose)
    .where('used_at', 'is', null)
    .execute()
  await db.insertInto('mail_tokens').values(token).execute()
}

/** Whether a link would work now. Uses nothing up. */
export async function isMailTokenGood(db: Db, hash: Buffer, purpose: Purpose, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('mail_tokens')
    .select('account_id')
    .where('hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

/** A link that would work now, if it is for one of some purposes. Uses nothing up. */
export function findMailToken<P extends Purpose>(db: Db, hash: Buffer, purposes: readonly P[], now: Date) {
  return db
    .selectFrom('mail_tokens')
    .select(['account_id', 'purpose'])
    .where('hash', '=', hash)
    .where('purpose', 'in', purposes)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .$narrowType<{ purpose: P }>()
    .executeTakeFirst()
}

/** The new address of an account whose link would work now. */
export function findPendingEmail(db: Db, accountId: string, now: Date) {
  return db
    .selectFrom('mail_tokens')
    .select(['new_email', 'expires_at'])
    .where('account_id', '=', accountId)
    .where('purpose', '=', 'change_email')
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('expires_at', 'desc')
    .$narrowType<{ new_email: NotNull }>()
    .executeTakeFirst()
}

/** Uses a link up; the account it was for, if it was good. */
export async function useMailToken(
  db: Db,
  hash: Buffer,
  purpose: Purpose,
  now: Date,
): Promise<{ account_id: string; email: string | null; new_email: string | null } | undefined> {
  return db
    .updateTable('mail_tokens')
    .set({ used_at: now })
    .where('hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['account_id', 'email', 'new_email'])
    .executeTakeFirst()
}

/** Forgets links that no longer may work, or all of an account. */
export async function deleteMailTokens(db: Db, accountId: string, purposes?: Purpose[]): Promise<void> {
  let query = db.deleteFrom('mail_tokens').where('account_id', '=', accountId)
  if (purposes) query = query.where('purpose', 'in', purposes)
  await query.execute()
}
